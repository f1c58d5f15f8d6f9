"""Leads the connections of a Python process to X's hosts to a Pipit server.

Python imports this module at its start, from PYTHONPATH. Other connections stay as they are. For X's hosts a
connection trusts only the authority of `pipit lead`, so it fails before a request is sent if it ends anywhere else.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys


# Stands for the led hosts between a lookup and the connection: some programs keep only the address of a lookup.
STAND_IN = "127.80.73.80"


def install(lead):
    hosts = frozenset(lead["hosts"])

    def is_led(host):
        if isinstance(host, (bytes, bytearray)):
            host = bytes(host).decode("ascii", "replace")
        return isinstance(host, str) and (host[:-1] if host.endswith(".") else host).lower() in hosts

    def report(host):
        with open(lead["refused"], "a") as file:
            file.write(host + "\n")

    def lead_lookups(module):
        look_up = module.getaddrinfo
        look_up_name = module.gethostbyname

        def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
            if is_led(host):
                host, family = STAND_IN, 0
            return look_up(host, port, family, type, proto, flags)

        def gethostbyname(host):
            return look_up_name(STAND_IN if is_led(host) else host)

        module.getaddrinfo = getaddrinfo
        module.gethostbyname = gethostbyname

    def led_address(address):
        if not isinstance(address, tuple) or len(address) < 2:
            return address
        host, port = address[:2]
        if host == STAND_IN or is_led(host):
            return (lead["host"], lead["openPort"])
        # Only programs without a preload are limited to X's hosts.
        if port == lead["port"] and host in ("127.0.0.1", "localhost"):
            return (host, lead["openPort"]) + address[2:]
        return address

    def lead_sockets(module):
        connect = module.socket.connect
        connect_ex = module.socket.connect_ex
        module.socket.connect = lambda self, address: connect(self, led_address(address))
        module.socket.connect_ex = lambda self, address: connect_ex(self, led_address(address))

    def lead_tls(module):
        wrap_socket = module.SSLContext.wrap_socket
        wrap_bio = module.SSLContext.wrap_bio
        contexts = []

        def reporting(kind):
            class Led(kind):
                def do_handshake(self, *arguments, **options):
                    try:
                        return super().do_handshake(*arguments, **options)
                    except module.SSLCertVerificationError:
                        report(self.server_hostname)
                        raise

            return Led

        def own_context():
            if not contexts:
                context = module.SSLContext(module.PROTOCOL_TLS_CLIENT)
                context.load_verify_locations(lead["authority"])
                context.set_alpn_protocols(["http/1.1"])
                context.sslsocket_class = reporting(module.SSLSocket)
                context.sslobject_class = reporting(module.SSLObject)
                contexts.append(context)
            return contexts[0]

        def led_wrap_socket(self, sock, server_side=False, do_handshake_on_connect=True,
                            suppress_ragged_eofs=True, server_hostname=None, session=None):
            if not server_side and is_led(server_hostname):
                self, session = own_context(), None
            return wrap_socket(self, sock, server_side, do_handshake_on_connect, suppress_ragged_eofs,
                               server_hostname, session)

        def led_wrap_bio(self, incoming, outgoing, server_side=False, server_hostname=None, session=None):
            if not server_side and is_led(server_hostname):
                self, session = own_context(), None
            return wrap_bio(self, incoming, outgoing, server_side, server_hostname, session)

        module.SSLContext.wrap_socket = led_wrap_socket
        module.SSLContext.wrap_bio = led_wrap_bio

    def lead_uvloop(module):
        get_addresses = module.Loop.getaddrinfo
        create_connection = module.Loop.create_connection

        def led_get_addresses(self, host, port, **options):
            return get_addresses(self, STAND_IN if is_led(host) else host, port, **options)

        def led_create_connection(self, factory, host=None, port=None, **options):
            if is_led(host) and options.get("ssl") and options.get("server_hostname") is None:
                options["server_hostname"] = host
            if host == STAND_IN or is_led(host):
                host, port = lead["host"], lead["openPort"]
            return create_connection(self, factory, host, port, **options)

        module.Loop.getaddrinfo = led_get_addresses
        module.Loop.create_connection = led_create_connection

    import _socket

    lead_lookups(_socket)
    # gevent and uvloop bring their own sockets.
    patch_when_imported(
        {"socket": lead_sockets, "ssl": lead_tls, "gevent._socket3": lead_sockets, "uvloop": lead_uvloop}
    )


def patch_when_imported(patches):
    """Applies each patch after the import of its module: an early import would disturb programs such as gevent."""

    class Finder:
        def find_spec(self, name, path=None, target=None):
            patch = patches.pop(name, None)
            spec = patch and importlib.util.find_spec(name)
            if spec:
                execute = spec.loader.exec_module

                def exec_module(module):
                    execute(module)
                    patch(module)

                spec.loader.exec_module = exec_module
            return spec

    for name in [name for name in patches if name in sys.modules]:
        patches.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, Finder())


def run_existing():
    """Runs the sitecustomize that this one hides."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [path for path in sys.path if os.path.abspath(path) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("PIPIT_LEAD"):
    install(json.loads(os.environ["PIPIT_LEAD"]))
run_existing()
