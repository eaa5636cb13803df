"""Mocks as people write them for a test."""
from goals import RATIOS
from loads import PER_MILLION, Pushes, alternate, needsH2load, stream, warm
from tables import Row


def mock(place, runs):
    """The gateway on asyncio."""
    with place.startMock() as mock, place.startSimulator() as apnsim:
        warm(place, apnsim)
        found = alternate(
            min(runs, 3),
            mock=lambda: stream(place, mock, 8, 100, total=200_000),
            apnsim=lambda: stream(place, apnsim, 8, 100),
        )
    case, goal = "Python mock, 8 connections, 100 per record", RATIOS["mock, binary"]
    return [Row(case, PER_MILLION, "mock", found["mock"], found["apnsim"], goal)]


@needsH2load
def http2_mocks(place, runs):
    """On Node's http2 and on Python's h2; those whose libraries are not there are left out."""
    pushes, rows = Pushes(place), []
    with place.startSimulator() as apnsim:
        pushes.warm(apnsim)
        for name, start, count in [("Node", place.startNodeMock, 40_000), ("Python", place.startPythonMock, 5_000)]:
            server = start()
            if not server:
                continue
            with server:
                found = alternate(
                    min(runs, 3), mock=lambda: pushes.push(server, count), apnsim=lambda: pushes.push(apnsim, 100_000)
                )
            case, goal = f"HTTP/2, {name} mock, 8 connections, 100 at once", RATIOS[f"mock, HTTP/2 on {name}"]
            rows.append(Row(case, PER_MILLION, "mock", found["mock"], found["apnsim"], goal))
    return rows
