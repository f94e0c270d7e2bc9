#!/bin/sh
# The four users of the S3 server; what each may do, the policies of the buckets say.
set -eu
ADMIN_ACCESS_KEY_ID=root
ADMIN_SECRET_ACCESS_KEY=$(cat /files/s3-root)
export ADMIN_ACCESS_KEY_ID ADMIN_SECRET_ACCESS_KEY
admin() { versitygw admin --endpoint-url http://s3:7070 "$@"; }
there=$(admin list-users)
for name in private public client custodian; do
  case "$there" in
    *"$name"*) ;;
    *) admin create-user --access "$name" --secret "$(cat "/files/s3-$name")" --role user ;;
  esac
done
