/* A provider without a limit of its own: everything is encrypted before the clock starts, then written as fast as
 * the server takes it. A run ends with a bad frame on each connection and the arrival of the error packet for it, or
 * with the close of each and the server's close for it, so nothing that is still unread counts.
 *
 *   load MODE HOST PORT CA [--identity CERTIFICATE KEY]... [--pid SERVER] [OPTIONS]
 *
 *   stream     --connections N --frames PER_RECORD --records PER_WRITE --total N --devices N --after N
 *              --tokens ordinary|offline|uninstalled --order random|each --end error|close
 *   latency    --total N: bad frame on an idle connection to error packet
 *   idle       --connections N: opens them, says so, holds them until its standard input ends
 *   feedback   --total N: reads the list of the feedback service to its end, so many times
 *
 * As libraries do, each connection counts its notifications from 1, and a number is the same notification whenever it
 * comes: to the same device, with the same payload. With --after N the connections share the numbers after N instead.
 *
 * Prints one JSON object. With --pid it has the CPU seconds that the server took between the first frame (stream) or
 * connection and the last packet.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The longest payload: with a number of six digits. */
enum { PAYLOAD = 117, FRAME = 45 + PAYLOAD, RECORD = 16384, IDENTITIES = 16 };

static struct {
  const char *mode, *host, *ca, *tokens, *order, *end;
  int port, connections, frames, records, pid, identities;
  long total, devices, after;
  const char *certificate[IDENTITIES], *key[IDENTITIES];
} options = {
  .tokens = "ordinary", .order = "random", .end = "error", .connections = 1, .frames = 1, .records = 64, .total = 100000,
  .devices = 10000,
};

struct connection {
  int fd, app;
  SSL *ssl;
  uint32_t number;        /* of the latest notification */
  unsigned char *bytes;   /* ciphertext, all of it */
  size_t count, room, at;
  size_t *ends;           /* where each write ends */
  long writes, next;
};

static SSL_CTX *contexts[IDENTITIES];
static BIO_METHOD *method;

static void die(const char *what) {
  fprintf(stderr, "load: %s\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) die("the server is gone");
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The kernel brings the clock of another process up to date at a tick or when it sleeps: until then as much can be
 * missing as a short run takes. */
static double serverSeconds(void) {
  clockid_t clock;
  if (options.pid == 0) return 0;
  usleep(20000);
  if (clock_getcpuclockid(options.pid, &clock) != 0) die("the server is gone");
  return seconds(clock);
}

/* Until the handshake is over the BIO is the socket; then what is written is kept. */
static int bioRead(BIO *bio, char *out, int wanted) {
  struct connection *c = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  return (int)recv(c->fd, out, (size_t)wanted, 0);
}

static int bioWrite(BIO *bio, const char *bytes, int count) {
  struct connection *c = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (c->room == 0) return (int)send(c->fd, bytes, (size_t)count, MSG_NOSIGNAL);
  if (c->count + (size_t)count > c->room) die("more ciphertext than expected");
  memcpy(c->bytes + c->count, bytes, (size_t)count);
  c->count += (size_t)count;
  return count;
}

static long bioControl(BIO *bio, int command, long number, void *argument) {
  (void)bio, (void)number, (void)argument;
  return command == BIO_CTRL_FLUSH;
}

static uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

static void open_(struct connection *c, int index) {
  memset(c, 0, sizeof *c);
  c->app = index % options.identities;
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  inet_pton(AF_INET, options.host, &address.sin_addr);
  if (connect(c->fd, (struct sockaddr *)&address, sizeof address) != 0) die("cannot connect");
  int one = 1;
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  c->ssl = SSL_new(contexts[c->app]);
  BIO *bio = BIO_new(method);
  BIO_set_data(bio, c);
  BIO_set_init(bio, 1);
  SSL_set_bio(c->ssl, bio, bio);
  if (SSL_connect(c->ssl) != 1) die("the handshake failed");
}

static void close_(struct connection *c) {
  SSL_free(c->ssl);
  close(c->fd);
  free(c->bytes);
  free(c->ends);
}

/* The token of a device for an app: always the same for the same numbers. */
static void putToken(unsigned char *to, uint64_t device, int app) {
  uint64_t words[4];
  for (uint64_t i = 0; i < 4; i++) words[i] = mix(device * 4 + i + ((uint64_t)app << 48));
  memcpy(to, words, sizeof words);
  if (strcmp(options.tokens, "offline") == 0) memcpy(to, "APNSIM\x0f\0", 8);
  if (strcmp(options.tokens, "uninstalled") == 0) memcpy(to, "APNSIM\xfb\0", 8);
}

static int putPayload(unsigned char *to, unsigned number) {
  int length = snprintf(
    (char *)to, PAYLOAD + 1,
    "{\"aps\":{\"alert\":\"You got a message from Bob number %06u\",\"badge\":3,\"sound\":\"bingbong.aiff\"},"
    "\"acme1\":[\"bar\",%u]}",
    number, number);
  if (length > PAYLOAD) die("a payload is longer than the longest");
  return length;
}

/* 01 | identifier | expiry | 0020 token | length, payload. Returns how many bytes that is; the one after them is written
 * to as well. */
static int putFrame(struct connection *c, unsigned char *to) {
  uint32_t number = htonl(++c->number), expiry = htonl((uint32_t)time(NULL) + 86400);
  uint64_t isRandom = strcmp(options.order, "random") == 0, place = c->number - 1;
  to[0] = 1;
  memcpy(to + 1, &number, 4);
  memcpy(to + 5, &expiry, 4);
  to[9] = 0, to[10] = 32;
  putToken(to + 11, (isRandom ? mix(place) : place) % (uint64_t)options.devices, c->app);
  int length = putPayload(to + 45, c->number % 1000000);
  to[43] = 0, to[44] = (unsigned char)length;
  return 45 + length;
}

static int putBadFrame(struct connection *c, unsigned char *to) {
  uint32_t number = htonl(++c->number);
  memset(to, 0, 11);
  to[0] = 1;
  memcpy(to + 1, &number, 4);
  to[10] = 31;
  return 11;
}

static int endsByError(void) { return strcmp(options.end, "error") == 0; }

static void encrypt(struct connection *c, long total) {
  unsigned char record[RECORD + 1];
  long records = (total + options.frames - 1) / options.frames + 1;
  c->room = (size_t)total * FRAME + (size_t)records * 64 + 4096;
  c->bytes = malloc(c->room);
  c->ends = malloc((size_t)(records / options.records + 2) * sizeof *c->ends);
  if (!c->bytes || !c->ends) die("out of memory");
  long inWrite = 0;
  while (total > 0) {
    int frames = total < options.frames ? (int)total : options.frames;
    int count = 0;
    for (int i = 0; i < frames; i++) count += putFrame(c, record + count);
    if (SSL_write(c->ssl, record, count) != count) die("cannot encrypt");
    total -= frames;
    if (++inWrite == options.records) {
      c->ends[c->writes++] = c->count;
      inWrite = 0;
    }
  }
  if (endsByError()) SSL_write(c->ssl, record, putBadFrame(c, record));
  else SSL_shutdown(c->ssl);
  c->ends[c->writes++] = c->count;
}

/* The next write; 0 when there is none left. */
static int sendNext(struct connection *c) {
  if (c->next == c->writes) return 0;
  size_t end = c->ends[c->next++];
  while (c->at < end) {
    ssize_t n = send(c->fd, c->bytes + c->at, end - c->at, MSG_NOSIGNAL);
    if (n <= 0) die("the server closed the connection too early");
    c->at += (size_t)n;
  }
  return c->next < c->writes;
}

static void expectError(struct connection *c) {
  unsigned char packet[6];
  if (SSL_read(c->ssl, packet, sizeof packet) != sizeof packet) die("no error packet");
  uint32_t number;
  memcpy(&number, packet + 2, 4);
  if (packet[0] != 8 || packet[1] != 5 || ntohl(number) != c->number) {
    fprintf(stderr, "status %d for %u, expected 5 for %u\n", packet[1], ntohl(number), c->number);
    die("another error packet than expected");
  }
}

/* The server closes the connection once it has read everything. */
static void expectClose(struct connection *c) {
  char byte;
  shutdown(c->fd, SHUT_WR);
  if (SSL_read(c->ssl, &byte, 1) > 0) die("an answer that was not asked for");
}

static void stream(void) {
  struct connection *all = calloc((size_t)options.connections, sizeof *all);
  long share = options.total / options.connections;
  for (int i = 0; i < options.connections; i++) open_(&all[i], i);
  for (int i = 0; i < options.connections; i++) {
    if (options.after > 0) all[i].number = (uint32_t)(options.after + i * share);
    encrypt(&all[i], share);
  }
  double before = serverSeconds(), begin = seconds(CLOCK_MONOTONIC), own = seconds(CLOCK_PROCESS_CPUTIME_ID);
  int open = options.connections;
  while (open > 0) {
    open = 0;
    for (int i = 0; i < options.connections; i++) open += sendNext(&all[i]);
  }
  for (int i = 0; i < options.connections; i++) (endsByError() ? expectError : expectClose)(&all[i]);
  double wall = seconds(CLOCK_MONOTONIC) - begin;
  own = seconds(CLOCK_PROCESS_CPUTIME_ID) - own;
  printf(
    "{\"notifications\":%ld,\"seconds\":%.6f,\"serverSeconds\":%.6f,\"ownSeconds\":%.6f}\n",
    share * options.connections, wall, serverSeconds() - before, own);
  for (int i = 0; i < options.connections; i++) close_(&all[i]);
  free(all);
}

static int isLess(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void latency(void) {
  double *times = malloc((size_t)options.total * sizeof *times);
  for (long i = 0; i < options.total; i++) {
    struct connection c;
    unsigned char frame[FRAME];
    open_(&c, (int)i);
    usleep(2000);
    int count = putBadFrame(&c, frame);
    double begin = seconds(CLOCK_MONOTONIC);
    SSL_write(c.ssl, frame, count);
    expectError(&c);
    times[i] = (seconds(CLOCK_MONOTONIC) - begin) * 1e6;
    close_(&c);
  }
  qsort(times, (size_t)options.total, sizeof *times, isLess);
  printf(
    "{\"median\":%.1f,\"p99\":%.1f}\n", times[options.total / 2], times[options.total * 99 / 100]);
  free(times);
}

static void idle(void) {
  struct connection *all = calloc((size_t)options.connections, sizeof *all);
  for (int i = 0; i < options.connections; i++) open_(&all[i], i);
  printf("{\"connections\":%d}\n", options.connections);
  fflush(stdout);
  while (getchar() != EOF) {}
}

static void feedback(void) {
  static unsigned char bytes[1 << 20];
  long count = 0;
  double wall = 0, cpu = 0;
  for (long i = 0; i < options.total; i++) {
    struct connection c;
    double before = serverSeconds(), begin = seconds(CLOCK_MONOTONIC);
    open_(&c, 0);
    int n;
    double last = begin;   /* of data: the pause before close_notify does not count */
    while ((n = SSL_read(c.ssl, bytes, sizeof bytes)) > 0) {
      count += n;
      last = seconds(CLOCK_MONOTONIC);
    }
    wall += last - begin;
    cpu += serverSeconds() - before;
    close_(&c);
  }
  printf(
    "{\"notifications\":%ld,\"seconds\":%.6f,\"serverSeconds\":%.6f}\n", count / 38, wall, cpu);
}

static long number(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || value < 1) die("expected a positive number");
  return value;
}

static const char *oneOf(const char *value, const char *first, const char *second, const char *third) {
  if (strcmp(value, first) && strcmp(value, second) && (!third || strcmp(value, third))) die(value);
  return value;
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  options.mode = arguments[1], options.host = arguments[2], options.ca = arguments[4];
  options.port = (int)number(arguments[3]);
  for (int i = 5; i + 1 < count; i += 2) {
    const char *name = arguments[i], *value = arguments[i + 1];
    if (!strcmp(name, "--identity") && i + 2 < count && options.identities < IDENTITIES) {
      options.certificate[options.identities] = value;
      options.key[options.identities++] = arguments[++i + 1];
    } else if (!strcmp(name, "--pid")) options.pid = (int)number(value);
    else if (!strcmp(name, "--connections")) options.connections = (int)number(value);
    else if (!strcmp(name, "--frames")) options.frames = (int)number(value);
    else if (!strcmp(name, "--records")) options.records = (int)number(value);
    else if (!strcmp(name, "--total")) options.total = number(value);
    else if (!strcmp(name, "--devices")) options.devices = number(value);
    else if (!strcmp(name, "--after")) options.after = number(value);
    else if (!strcmp(name, "--tokens")) options.tokens = oneOf(value, "ordinary", "offline", "uninstalled");
    else if (!strcmp(name, "--order")) options.order = oneOf(value, "random", "each", NULL);
    else if (!strcmp(name, "--end")) options.end = oneOf(value, "error", "close", NULL);
    else die(name);
  }
  if (options.identities == 0) die("expected --identity");
  if (options.frames > RECORD / FRAME) die("so many frames do not fit into one record");
  for (int i = 0; i < options.identities; i++) {
    contexts[i] = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(contexts[i], TLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(contexts[i], TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(contexts[i], "ECDHE-RSA-AES128-GCM-SHA256");
    if (SSL_CTX_use_certificate_chain_file(contexts[i], options.certificate[i]) != 1) die("the certificate");
    if (SSL_CTX_use_PrivateKey_file(contexts[i], options.key[i], SSL_FILETYPE_PEM) != 1) die("the key");
    if (SSL_CTX_load_verify_locations(contexts[i], options.ca, NULL) != 1) die("the CA");
    SSL_CTX_set_verify(contexts[i], SSL_VERIFY_PEER, NULL);
  }
  method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "kept ciphertext");
  BIO_meth_set_read(method, bioRead);
  BIO_meth_set_write(method, bioWrite);
  BIO_meth_set_ctrl(method, bioControl);
  if (!strcmp(options.mode, "stream")) stream();
  else if (!strcmp(options.mode, "latency")) latency();
  else if (!strcmp(options.mode, "idle")) idle();
  else if (!strcmp(options.mode, "feedback")) feedback();
  else return 64;
  return 0;
}
