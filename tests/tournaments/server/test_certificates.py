"""The certificate that `serve --https` makes for the desk."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from tournaments.server import certificates


def test_certificate_is_private_and_made_once(tmp_path: Path) -> None:
    first = certificates.ensure_certificate(tmp_path, ["192.168.1.7"])
    assert {stat.S_IMODE(each.stat().st_mode) for each in first} == {0o600}
    assert len(first.fingerprint) == len("AB:") * 32 - 1
    second = certificates.ensure_certificate(tmp_path, ["192.168.1.8"])
    assert second.fingerprint == first.fingerprint
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(each.name for each in first)


def test_certificate_signs_no_others(tmp_path: Path) -> None:
    made = certificates.ensure_certificate(tmp_path, ["192.168.1.7"])
    asked = ["openssl", "x509", "-noout", "-text", "-in", str(made.certificate)]
    text = subprocess.run(asked, capture_output=True, check=True, text=True).stdout
    assert "CA:FALSE" in text
    assert "CA:TRUE" not in text
    assert "TLS Web Server Authentication" in text


def test_expiring_certificate_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "DAYS", 1)
    first = certificates.ensure_certificate(tmp_path, []).fingerprint
    assert certificates.ensure_certificate(tmp_path, []).fingerprint != first


def test_missing_openssl_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(certificates.NoOpenSSL):
        certificates.ensure_certificate(tmp_path, [])
