#!/bin/sh
# Makes the keys and passwords that each container needs, in a volume of its own; a second start leaves all of it as it is.
set -eu
umask 077
owned() { chown -R "$1" "$2"; }

if [ ! -e /volumes/stores/s3-root ]; then
  secret() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
  cd "$(mktemp -d)"
  for name in root ledger publisher policy approver; do opaline keygen "$name.pem"; done
  opaline trust init version-1.json --organisation "My organisation" --root root.pem.pub \
    --ledger ledger.pem.pub --publisher publisher.pem.pub --approver demo-approver=approver.pem.pub
  opaline trust sign trust.json version-1.json --key root.pem --yes
  for name in root private public client custodian; do secret > "s3-$name"; done
  secret > password
  secret > grafana

  cp trust.json ledger.pem policy.pem.pub s3-private /volumes/private/
  cp trust.json ledger.pem s3-custodian /volumes/custodian/
  cp trust.json publisher.pem s3-public /volumes/public/
  cp trust.json policy.pem approver.pem root.pem s3-client /volumes/client/
  cp password /volumes/postgres/password
  cp password /volumes/temporal/password
  sed "s/PASSWORD-OF-TEMPORAL/$(cat password)/" /compose/temporal.yaml > /volumes/temporal/temporal.yaml
  echo '{}' > /volumes/temporal/dynamic.yaml
  cp s3-* /volumes/s3/
  cp grafana /volumes/grafana/password
  cp s3-root /volumes/stores/ # last: it says that all of it is there
fi

# The policy may change; its key does not.
{ cat /compose/policy.yaml; sed 's/^/      /' /volumes/private/policy.pem.pub; } > /volumes/private/policy.yaml
cp /volumes/private/policy.yaml /volumes/custodian/

# What a client has, without its keys.
cp /volumes/client/trust.json /volumes/client/s3-client /volumes/console/

for volume in /volumes/private /volumes/custodian /volumes/public /volumes/client /volumes/console /volumes/stores /data/state /data/source; do
  owned 10001:10001 "$volume"
done
owned 10002:10002 /volumes/s3
owned 10002:10002 /data/s3
owned 999:999 /volumes/postgres
owned 999:999 /data/postgres
owned 1000:1000 /volumes/temporal
owned 65534:65534 /data/prometheus
owned 472:472 /volumes/grafana
owned 472:472 /data/grafana
