# Opaline in a container: both workers and the command line. Debian, an ordinary user, nothing written outside of volumes.
#   docker build --tag opaline:0.1.0 .
FROM node:24.21.0-bookworm-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . ./
RUN node infra/pack.mjs && mv dist-package /opt/opaline
WORKDIR /opt/opaline
# What the package was tested with, and the Node that it brings; authorities of TLS are those of Node.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && ln -s "$(echo /opt/opaline/node_modules/node-linux-*/bin/node)" bin/node \
  && ln -s opaline.mjs bin/opaline \
  && chmod 0755 bin/opaline.mjs \
  && bin/node -p 'require("tls").rootCertificates.join("\n")' > authorities.pem

FROM debian:bookworm-20250811-slim
LABEL org.opencontainers.image.title="opaline" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.description="Differentially private releases of public transport trips."
COPY --from=build --chown=0:0 /opt/opaline /opt/opaline
ENV PATH=/opt/opaline/bin:/usr/local/bin:/usr/bin:/bin \
  SSL_CERT_FILE=/opt/opaline/authorities.pem \
  OPALINE_HEALTH=http://127.0.0.1:9465/readyz
WORKDIR /tmp
USER 10001:10001
# Of a worker whose `observe.health` is at this address; a command that ends is never asked.
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s --retries=4 \
  CMD ["node", "-e", "fetch(process.env.OPALINE_HEALTH).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/opaline/dist/cli/main.js"]
CMD ["--help"]
