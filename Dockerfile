# Rookery with its page for the browser: `docker build -t rookery .`, then docs/guide/install.md.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /rookery
COPY . .
RUN cargo build --locked --profile dist --package rookery --features web,manual

FROM debian:bookworm-slim
COPY --from=build /rookery/target/dist/rookery /usr/local/bin/rookery
USER nobody
WORKDIR /tmp
ENTRYPOINT ["rookery"]
