from apnsim import apnsim, apnsim_server  # noqa: F401 (pytest finds fixtures here by their names)
