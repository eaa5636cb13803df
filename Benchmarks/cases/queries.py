"""Searches through the control API."""
import statistics
import urllib.parse

from goals import FIGURES
from loads import ask, cpuSeconds, stream
from tables import Row


def queries(place, runs):
    """What a list costs that looks through a full history and finds nothing; one of each kind of query."""
    kinds = {
        "status": "status:7", "topic": "topic:com.nobody.*", "alert": "alert~zzzz", "badge": "badge>1000000",
        "device by name": "device:bob", "device by token": f"device:{'ab' * 32}", "token": f"token:{'ab' * 32}",
        "payload path": "payload.aps.sound:none", "regular expression": "alert~/order #[0-9]+/",
        "pattern of many states": "alert~/[a-z ]+[ou].{3,9}[xz]/",
        "together": "topic:com.example.* alert~zzzz badge>3 outcome:delivered",
    }
    with place.startSimulator() as apnsim:
        # The history is full: it keeps 100,000.
        stream(place, apnsim, 4, 100, total=200_000)
        ask(apnsim, "PUT", "/devices/bob", {"apps": [place.topics[0]]})

        def cost(query):
            before = cpuSeconds(apnsim.pid)
            ask(apnsim, "GET", "/notifications?query=" + urllib.parse.quote(query))
            return (cpuSeconds(apnsim.pid) - before) * 1000

        found = {
            name: statistics.median(cost(query) for _ in range(2 * runs + 1)) for name, query in kinds.items()
        }
    goal = FIGURES["query of 100,000"]
    return [Row(f"query of 100,000 by {name}", "CPU-ms", "", None, value, goal) for name, value in found.items()]
