"""Two hundred providers at once, each with its own topic: none sees another's feedback or devices."""

import concurrent.futures
import contextlib
import datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from frames import enhanced, error_response, feedback_tuples
from simulator import Provider, apnsim, device, read_to_end, scenario, token

COUNT = 200
TOPICS = [f"com.example.app{number}" for number in range(COUNT)]
REMOVED = [token(1_000 + number) for number in range(COUNT)]  # device tokens of which the app was removed
INSTALLED = [token(2_000 + number) for number in range(COUNT)]
LISTED = [token(3_000 + number) for number in range(COUNT)]  # listed by the feedback service from the start
LISTED_AT = 1338552000  # 2012-06-01T12:00:00Z
PRODUCTION = x509.ObjectIdentifier("1.2.840.113635.100.6.3.2")


@pytest.fixture(scope="module")
def providers(certificates, tmp_path_factory):
    """A certificate for each topic, which is the user ID of its subject; signed here, as two hundred processes take long."""
    directory = tmp_path_factory.mktemp("providers")
    apnsim("certs", "init", "--certs", certificates)
    authority = x509.load_pem_x509_certificate((certificates / "ca.pem").read_bytes())
    authority_key = serialization.load_pem_private_key((certificates / "ca.key").read_bytes(), None)
    now = datetime.datetime.now(datetime.timezone.utc)

    def issue(topic):
        certificate, key = directory / f"{topic}.pem", directory / f"{topic}.key"
        secret = ec.generate_private_key(ec.SECP256R1())
        builder = x509.CertificateBuilder(
            issuer_name=authority.subject, subject_name=x509.Name([x509.NameAttribute(x509.NameOID.USER_ID, topic)]),
            public_key=secret.public_key(), serial_number=x509.random_serial_number(),
            not_valid_before=now - datetime.timedelta(days=1), not_valid_after=now + datetime.timedelta(days=1))
        builder = builder.add_extension(x509.UnrecognizedExtension(PRODUCTION, b"\x05\0"), critical=False)
        signed = builder.sign(authority_key, hashes.SHA256())
        certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        key.write_bytes(secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        return Provider(certificate, key)

    return [issue(topic) for topic in TOPICS]


@pytest.fixture
def simulator(start):
    removed = [device(token, topic, installed=False) for token, topic in zip(REMOVED, TOPICS)]
    installed = [device(token, topic) for token, topic in zip(INSTALLED, TOPICS)]
    listed = [(topic, token, "2012-06-01T12:00:00Z") for token, topic in zip(LISTED, TOPICS)]
    return start("--tokens", "known",
                 scenario=scenario(devices=removed + installed, feedback=listed, topics=TOPICS))


@contextlib.contextmanager
def all_connected(simulator, port, providers):
    """One connection for each provider, all of them made at once and open together."""
    with concurrent.futures.ThreadPoolExecutor(COUNT) as pool, contextlib.ExitStack() as opened:
        connections = list(pool.map(lambda provider: simulator.connect(port, provider), providers))
        for connection in connections:
            opened.enter_context(connection)
        yield pool, connections


def test_nobody_sees_anothers_feedback(simulator, providers):
    with all_connected(simulator, simulator.gateway, providers) as (_, connections):
        for connection, token in zip(connections, REMOVED):
            connection.sendall(enhanced(1, token))
        simulator.wait_for_accepted(COUNT)
    with all_connected(simulator, simulator.feedback, providers) as (pool, connections):
        seen = [feedback_tuples(received) for received in pool.map(read_to_end, connections)]
    for number, tuples in enumerate(seen):
        assert {token for token, _ in tuples} == {LISTED[number], REMOVED[number]}
        assert len(tuples) == 2 and (LISTED[number], LISTED_AT) in tuples


def test_nobody_reaches_anothers_devices(simulator, providers):
    with all_connected(simulator, simulator.gateway, providers) as (pool, connections):
        for number, connection in enumerate(connections):
            own, neighbours = INSTALLED[number], INSTALLED[(number + 1) % COUNT]
            connection.sendall(enhanced(1, own) + enhanced(2, neighbours))
        assert set(pool.map(read_to_end, connections)) == {error_response(8, 2)}
    simulator.stop()
    found = sorted((n["topic"], n["token"]) for n in simulator.accepted())
    assert found == sorted(zip(TOPICS, INSTALLED))
