#!/bin/sh
# The S3 server, with its buckets, their older versions and its users below /data.
set -eu
umask 077
mkdir -p /data/buckets /data/versions /data/users
ROOT_ACCESS_KEY_ID=root
ROOT_SECRET_ACCESS_KEY=$(cat /files/s3-root)
export ROOT_ACCESS_KEY_ID ROOT_SECRET_ACCESS_KEY
exec versitygw --port :7070 --region us-east-1 --iam-dir /data/users --health /health --quiet \
  posix --versioning-dir /data/versions /data/buckets
