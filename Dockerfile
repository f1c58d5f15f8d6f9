FROM node:22-bookworm AS build
WORKDIR /pipit
COPY package.json package-lock.json .npmrc ./
# Only these packages need their install scripts, the first for a compiled binding.
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3 esbuild
COPY scripts scripts
COPY src src
COPY tsconfig.json ./
# The build starts the program with the demo world.
COPY examples examples
RUN npm run build && npm prune --omit=dev --ignore-scripts && scripts/trim.sh .

FROM node:22-bookworm-slim
ENV NODE_ENV=production PIPIT_HOST=0.0.0.0 PIPIT_DATABASE=sqlite:/data/pipit.db
WORKDIR /pipit
COPY package.json ./
COPY --from=build /pipit/examples examples
COPY --from=build /pipit/node_modules node_modules
COPY --from=build /pipit/dist dist
RUN chmod +x dist/cli.js && ln -s /pipit/dist/cli.js /usr/local/bin/pipit \
  && install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PIPIT_PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["pipit"]
CMD ["serve"]
