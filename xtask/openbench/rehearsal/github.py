"""A stand-in for GitHub: an HTTPS proxy that answers for GitHub's hosts from local git repositories.

OpenBench's server and client reach GitHub by fixed addresses, so their requests are redirected by `HTTPS_PROXY`, and
`REQUESTS_CA_BUNDLE` makes them trust the certificate of this proxy. Connections to other hosts are passed through.
"""

from __future__ import annotations

import io
import json
import select
import socket
import ssl
import subprocess
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOSTS = ("github.com", "api.github.com", "raw.githubusercontent.com")
#: Seconds after which an idle tunnel to another host is closed.
TUNNEL_TIMEOUT = 300


class NotFound(Exception):
    """The address names nothing that the stand-in has."""


class Repository:
    """A git repository under the name that it has on GitHub."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path

    def git(self, *arguments: str) -> bytes:
        command = ["git", "-C", str(self.path), *arguments]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode != 0:
            raise NotFound(f"{' '.join(command)}: {result.stderr.decode(errors='replace').strip()}")
        return result.stdout

    def commit(self, reference: str) -> str:
        """The hash of a commit. HEAD stands for a main branch that a local copy does not have."""
        try:
            return self.git("rev-parse", "--verify", "--end-of-options", f"{reference}^{{commit}}").decode().strip()
        except NotFound:
            if reference not in ("master", "main"):
                raise
            return self.git("rev-parse", "HEAD").decode().strip()

    def message(self, commit: str) -> str:
        return self.git("log", "-1", "--format=%B", commit).decode()

    def ahead(self, base: str, head: str) -> int:
        """The number of commits of `head` that `base` lacks."""
        return int(self.git("rev-list", "--count", f"{base}..{head}"))

    def archive(self, reference: str) -> bytes:
        prefix = f"{self.name.split('/')[1]}-{reference}/"
        return self.git("archive", "--format=zip", f"--prefix={prefix}", self.commit(reference))


class GitHub:
    """The stand-in. `environment` is what its users need."""

    def __init__(self, folder: Path, repositories: dict[str, Path], books: dict[str, Path]) -> None:
        self.repositories = {name: Repository(name, path) for name, path in repositories.items()}
        self.books = books
        self.requests: list[str] = []
        certificate, key = make_certificate(folder)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        handler = type("BoundHandler", (Handler,), {"github": self, "tls": tls})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        proxy = f"http://127.0.0.1:{self.server.server_port}"
        self.environment = {
            "HTTPS_PROXY": proxy,
            "https_proxy": proxy,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "REQUESTS_CA_BUNDLE": str(certificate),
        }

    def start(self) -> None:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, host: str, path: str) -> tuple[str, bytes]:
        """Returns the type and the content of a page.

        Raises `NotFound` for addresses that OpenBench does not use, and for missing repositories and commits.
        """
        self.requests.append(f"{host}{path}")
        parts = [part for part in path.split("?")[0].split("/") if part]
        if host == "raw.githubusercontent.com":
            return "application/zip", self.book(parts[-1])
        api = host == "api.github.com"
        if api and parts[:1] == ["repos"]:
            parts = parts[1:]
        if len(parts) < 4 or "/".join(parts[:2]) not in self.repositories:
            raise NotFound(f"no repository for {host}{path}")
        repository = self.repositories["/".join(parts[:2])]
        action, reference = parts[2], "/".join(parts[3:])
        if action == "archive" and not api:
            return "application/zip", repository.archive(reference.removesuffix(".zip"))
        if action == "zipball" and api:
            return "application/zip", repository.archive(reference)
        if action in ("branches", "commits") and api:
            commit = repository.commit(reference)
            data = {"sha": commit, "commit": {"message": repository.message(commit)}}
            return as_json({"name": reference, "commit": data} if action == "branches" else data)
        if action == "compare" and api:
            base, head = reference.split("...")
            return as_json({"ahead_by": repository.ahead(base, head)})
        raise NotFound(f"{host}{path}: unknown request")

    def book(self, name: str) -> bytes:
        """The archive of an opening book, which contains one file."""
        book = name.removesuffix(".zip")
        if book not in self.books:
            raise NotFound(f"no book {book}")
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.books[book], book)
        return content.getvalue()


def as_json(data: object) -> tuple[str, bytes]:
    return "application/json", json.dumps(data).encode()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Creates a certificate for GitHub's hosts that is its own authority, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "7", "-subj", "/CN=local GitHub"]
    command += ["-addext", f"subjectAltName={names}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


class Handler(BaseHTTPRequestHandler):
    """One connection to the proxy: CONNECT, then either requests to the stand-in or a tunnel."""

    protocol_version = "HTTP/1.1"
    github: GitHub
    tls: ssl.SSLContext
    host = ""

    def do_CONNECT(self) -> None:
        host, _, port = self.path.rpartition(":")
        if host not in HOSTS:
            self.tunnel(host, int(port))
            return
        self.send_response(200)
        self.end_headers()
        self.host = host
        self.connection = self.tls.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.close_connection = False

    def do_GET(self) -> None:
        try:
            kind, content = self.github.answer(self.host, self.path)
            status = 200
        except NotFound as error:
            print(f"stand-in for GitHub: {error}", flush=True)
            status, (kind, content) = 404, as_json({"message": "Not Found"})
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def tunnel(self, host: str, port: int) -> None:
        self.close_connection = True
        try:
            remote = socket.create_connection((host, port), timeout=30)
        except OSError as error:
            self.send_error(502, f"cannot connect to {host}: {error}")
            return
        self.send_response(200)
        self.end_headers()
        with remote:
            ends = {self.connection: remote, remote: self.connection}
            while ready := select.select(list(ends), [], [], TUNNEL_TIMEOUT)[0]:
                for end in ready:
                    data = end.recv(65536)
                    if not data:
                        return
                    ends[end].sendall(data)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are recorded by `GitHub.answer`."""
