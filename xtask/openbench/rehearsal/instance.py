"""An OpenBench instance and its worker, set up in a folder from OpenBench's repository."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.error
from pathlib import Path

from website import Website

#: Seconds within which the server answers its first request.
START_TIMEOUT = 60

CREATE_USER = """
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_superuser({user!r}, 'worker@example.org', {password!r})
Profile.objects.create(user=user, enabled=True, approver=True)
"""


def export(repository: Path, folder: Path) -> None:
    """Writes the files of a repository's HEAD to a folder."""
    archive = subprocess.run(["git", "-C", str(repository), "archive", "HEAD"], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        # Python 3.11.2, as in Debian 12, has neither the filter nor an argument for it.
        files.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        files.extractall(folder)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def clean_environment(added: dict[str, str]) -> dict[str, str]:
    environment = {**os.environ, **added}
    environment["PYTHONUNBUFFERED"] = "1"
    return environment


class Instance:
    """An instance with one engine. All files are in `folder`."""

    def __init__(self, folder: Path, openbench: Path, environment: dict[str, str]) -> None:
        self.site = folder / "instance"
        self.worker = folder / "worker"
        self.venv = folder / "venv"
        self.logs = folder / "logs"
        self.openbench = openbench
        self.environment = clean_environment(environment)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = f"http://127.0.0.1:{free_port()}"

    @property
    def python(self) -> str:
        return str(self.venv / "bin" / "python")

    def install(self, engine: str, config: dict, book: str, book_file: Path) -> None:
        """Creates the instance with the engine's configuration and a book of ours under the name of one of OpenBench's list."""
        for folder in (self.site, self.logs):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        export(self.openbench, self.site)
        if not self.venv.is_dir():
            subprocess.run([sys.executable, "-m", "venv", str(self.venv)], check=True)
        requirements = [str(self.site / name) for name in ("requirements.txt", "Client/requirements.txt")]
        pip = [self.python, "-m", "pip", "install", "-q", "-r", requirements[0], "-r", requirements[1]]
        subprocess.run(pip, check=True)

        (self.site / "Engines" / f"{engine}.json").write_text(json.dumps(config, indent=4))
        general_file = self.site / "Config" / "config.json"
        general = json.loads(general_file.read_text())
        if book not in general["books"]:
            raise RuntimeError(f"the presets use {book}, which is not a book of OpenBench: {general['books']}")
        general["engines"] = [engine]
        general_file.write_text(json.dumps(general, indent=4))
        book_config_file = self.site / "Books" / f"{book}.json"
        book_config = json.loads(book_config_file.read_text())
        book_config["sha"] = hashlib.sha256(book_file.read_bytes()).hexdigest().upper()
        book_config_file.write_text(json.dumps(book_config, indent=4))

    def manage(self, *arguments: str) -> None:
        command = [self.python, "manage.py", *arguments]
        result = subprocess.run(command, cwd=self.site, env=self.environment, capture_output=True, text=True, check=False)
        # A faulty configuration ends the process with status 0.
        if result.returncode != 0 or "errors on the configuration" in result.stdout:
            raise RuntimeError(f"{' '.join(command)}:\n{result.stdout}{result.stderr}")

    def start_server(self, user: str, password: str) -> Website:
        """Creates the database and a user who may approve tests, and starts the server."""
        self.manage("migrate")
        self.manage("shell", "-c", CREATE_USER.format(user=user, password=password))
        port = self.address.rpartition(":")[2]
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        server = self.start(command, self.site, "server.log", self.environment)
        website = Website(self.address)
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            try:
                website.get("/index/")
                break
            except (urllib.error.URLError, OSError):
                if server.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server did not start; see {self.logs / 'server.log'}") from None
                time.sleep(0.5)
        website.log_in(user, password)
        return website

    def start_worker(self, user: str, password: str, threads: int, target: Path) -> subprocess.Popen[bytes]:
        """Starts a worker that has nothing but `client.py`, as a new contributor; the rest is downloaded.

        The client ends its processes by `pkill -f NAME`, so it gets a process namespace of its own.
        """
        self.worker.mkdir(exist_ok=True)
        shutil.copy(self.site / "Client" / "client.py", self.worker)
        # `unshare --fork` ignores SIGTERM; when it is killed, so is the namespace.
        namespace = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
        if os.geteuid() != 0:
            namespace += ["--user", "--map-root-user"]
        if subprocess.run([*namespace, "true"], check=False).returncode != 0:
            raise RuntimeError("cannot create a process namespace; run this as root or in a container of its own")
        client = [self.python, "client.py", "-U", user, "-P", password, "-S", self.address, "--clean"]
        client += ["-T", str(threads), "-N", "1", "-I", "rehearsal"]
        environment = {**self.environment, "CARGO_TARGET_DIR": str(target)}
        return self.start(namespace + client, self.worker, "worker.log", environment)

    def start(self, command: list[str], folder: Path, log: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with open(self.logs / log, "wb") as output:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
