# Builds the release with all of npm, and keeps of that the release, Debian and Node alone.
FROM node:24-bookworm-slim AS build
WORKDIR /atelier
COPY . .
RUN node scripts/build.mjs release /release

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /release /atelier
RUN install -d -o 1000 -g 1000 -m 700 /data
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /atelier
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, and ends by SIGTERM.
CMD ["node", "server.js"]
