#!/bin/sh
# Installs this release as a systemd service, or upgrades it: sudo ./install.sh (NODE=/path/to/node chooses another Node 24).
# It writes /opt/atelier, /etc/atelier.env (once), atelier.service and atelier@.service in /etc/systemd/system, and /usr/local/bin/atelier, and makes the account atelier.
set -eu
fail() {
  echo "$1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail 'Run it as root: sudo ./install.sh'
from=$(dirname "$(readlink -f "$0")")
[ "$from" != /opt/atelier ] || fail 'This is what is installed. Run install.sh of the release that you built.'

node=
for each in "${NODE:-}" "$from/node" "$(command -v node || true)" "$(cat "$from/built-by")"; do
  [ -x "$each" ] && [ "$("$each" -p 'process.versions.node.split(".")[0]')" -ge 24 ] || continue
  node=$("$each" -p process.execPath)
  break
done
[ -n "$node" ] || fail 'Node 24 or newer is needed: NODE=/path/to/node ./install.sh'

id atelier >/dev/null 2>&1 ||
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin atelier
install -d -m 700 -o atelier -g atelier /var/lib/atelier

# The release before stays beside it, for the way back from an upgrade.
rm -rf /opt/atelier.new
cp -R "$from" /opt/atelier.new
install -m 755 "$node" /opt/atelier.new/node
chown -R root:root /opt/atelier.new
chmod -R a+rX,go-w /opt/atelier.new
same() {
  cmp -s "/opt/atelier/server/build/$1" "/opt/atelier.new/server/build/$1"
}
if same commit && same built-from; then
  # Installed once more, so it isn't the one before.
  rm -rf /opt/atelier
elif [ -e /opt/atelier ]; then
  rm -rf /opt/atelier.before
  mv /opt/atelier /opt/atelier.before
fi
mv /opt/atelier.new /opt/atelier

if [ ! -e /etc/atelier.env ]; then
  secret=$(head -c 32 /dev/urandom | base64)
  (umask 027 && printf 'DATA_DIR=/var/lib/atelier\nAUTH_SECRET=%s\n' "$secret" >/etc/atelier.env)
  chgrp atelier /etc/atelier.env
fi
install -m 755 /opt/atelier/atelier /usr/local/bin/atelier
install -D -m 644 /opt/atelier/atelier.service /etc/systemd/system/atelier.service
# More servers of this machine, named by their port: systemctl enable --now atelier@3001
sed 's/^ExecStart=/Environment=PORT=%i\n&/' /opt/atelier/atelier.service >/etc/systemd/system/atelier@.service

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable atelier
  systemctl restart atelier
  echo 'Atelier runs: systemctl status atelier, journalctl -u atelier. Settings: /etc/atelier.env.'
else
  echo 'Atelier is installed. systemd does not run here, so start it yourself: atelier server'
fi
