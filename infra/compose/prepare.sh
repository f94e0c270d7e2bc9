#!/bin/sh
# Makes what each container needs, in a volume of its own; a second start leaves all of it as it is.
set -eu
umask 077
owned() { chown -R "$1" "$2"; }

if [ ! -e /volumes/stores/stores.json ]; then
  secret() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
  cd "$(mktemp -d)"
  for name in root ledger publisher policy approver; do opaline keygen "$name.pem"; done
  opaline trust init version-1.json --organisation "${ORGANISATION:-My organisation}" --root root.pem.pub \
    --ledger ledger.pem.pub --publisher publisher.pem.pub --approver demo-approver=approver.pem.pub
  opaline trust sign trust.json version-1.json --key root.pem --yes
  for name in root private public client custodian; do secret > "s3-$name"; done
  # A template with the secrets of the users that it names.
  filled() {
    sed -e "s/SECRET-OF-ROOT/$(cat s3-root)/" -e "s/SECRET-OF-PRIVATE/$(cat s3-private)/" \
      -e "s/SECRET-OF-PUBLIC/$(cat s3-public)/" -e "s/SECRET-OF-CLIENT/$(cat s3-client)/" \
      -e "s/PASSWORD-OF-TEMPORAL/$(cat password)/" "/compose/$1"
  }
  secret > password
  secret > grafana
  { cat /compose/policy.yaml; sed 's/^/      /' policy.pem.pub; } > policy.yaml

  cp trust.json ledger.pem policy.yaml /volumes/private/
  filled private.json > /volumes/private/private.json
  cp trust.json publisher.pem /volumes/public/
  filled public.json > /volumes/public/public.json
  cp trust.json policy.pem approver.pem root.pem /volumes/client/
  filled client.json > /volumes/client/client.json
  cp password /volumes/postgres/password
  cp password /volumes/temporal/password
  filled temporal.yaml > /volumes/temporal/temporal.yaml
  echo '{}' > /volumes/temporal/dynamic.yaml
  cp s3-* /volumes/s3/
  cp grafana /volumes/grafana/password
  filled stores.json > stores.json
  cp stores.json /volumes/stores/stores.json # last: it says that all of it is there
fi

for volume in /volumes/private /volumes/public /volumes/client /volumes/stores /data/state /data/source; do
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
