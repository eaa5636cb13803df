pytest_plugins = ["apnsim"]
