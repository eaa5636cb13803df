"""Stands in for Testcontainers' DockerContainer where no engine is: what the recipe calls of it, with the same names.

The container has been started by the test, with the variables that a look at the recipe has shown; its ports are reached as
they are. STANDIN_VARIABLES has what it was started with, as JSON.
"""

import json
import os


class DockerContainer:
    def __init__(self, image):
        self.image, self.env, self.ports, self.strategy = image, {}, [], None

    def with_env(self, key, value):
        assert isinstance(value, str)
        self.env[key] = value
        return self

    def with_exposed_ports(self, *ports):
        self.ports += ports
        return self

    def waiting_for(self, strategy):
        self.strategy = strategy
        return self

    def start(self):
        assert self.env == json.loads(os.environ["STANDIN_VARIABLES"]), self.env
        self.strategy.wait_until_ready(self)
        return self

    def stop(self):
        pass

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def get_container_host_ip(self):
        return "localhost"

    def get_exposed_port(self, port):
        assert port in self.ports, f"{port} is not exposed: {self.ports}"
        return str(port)
