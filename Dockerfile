# The programs alone: no shell, no libraries, a user without rights. The release
# makes the same image without an engine, see .ci/release.
#
#   docker build -t perfectplay .
#   docker run --rm -v "$PWD:/data" perfectplay strong halma-star37-2p --rules house
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -pgo=cmd/solve/release.pgo -ldflags='-s -w -buildid=' -o /programs/ ./cmd/solve ./cmd/lab \
 && mkdir -m 755 /data && mkdir -m 1777 /temporary

FROM scratch
COPY --from=build /programs /bin
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build /temporary /tmp
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["/bin/solve"]
