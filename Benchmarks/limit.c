/* The limit of the machine: accepts the same TLS connections as apnsim, decrypts, and skips frames by their lengths.
 *
 * It validates nothing, stores nothing and answers only the frame that ends a run: a command-1 frame whose token
 * length is not 32, with the six bytes 08 05 and its identifier. What apnsim takes beyond this is what apnsim does.
 *
 *   limit CERTIFICATE KEY CA [--fd] [--read-delay MICROSECONDS] [--feedback TUPLES] [--http2]
 *
 * --fd         gives OpenSSL the socket (two system calls a record) instead of one large receive buffer
 * --feedback   writes a list of so many feedback tuples, which it has in memory, in full records to whoever connects
 * --http2      speaks HTTP/2 over TLS 1.3 without client certificates: skips frames by their lengths and answers each
 *              END_STREAM with a HEADERS frame of :status 200 and an apns-id; no header block is looked into
 * Prints its port, serves until its standard input ends.
 */
#include "server.h"

enum { RECORD = 16 * 1024, CARRY = 32 * 1024, ANSWERS = 256 * 1024, FEEDBACK_RECORD = 16 * 1024 / 38 * 38 };

struct connection {
  int fd;
  SSL *ssl;
  int established, answered, prefaced;
  int carried;             /* bytes of an unfinished frame */
  unsigned char carry[CARRY];
};

static unsigned char plain[CARRY + RECORD];
static int usesDescriptor, isHTTP2;
static long tuples;
static unsigned char *list;   /* of so many tuples, as whoever keeps one has it in memory */

static void answer(struct connection *c, const unsigned char *frame) {
  unsigned char packet[6] = {8, 5, frame[1], frame[2], frame[3], frame[4]};
  SSL_write(c->ssl, packet, sizeof packet);
  SSL_shutdown(c->ssl);
  shutdown(c->fd, SHUT_WR);
  c->answered = 1;
}

/* Skips whole frames; what is left of the last one is carried over. */
static void skip(struct connection *c, const unsigned char *bytes, size_t count) {
  size_t start = 0;
  while (count - start >= 11) {
    const unsigned char *frame = bytes + start;
    size_t token = (size_t)frame[9] << 8 | frame[10];
    if (token != 32) return answer(c, frame);
    if (count - start < 45) break;
    size_t payload = (size_t)frame[43] << 8 | frame[44];
    if (count - start < 45 + payload) break;
    start += 45 + payload;
  }
  c->carried = (int)(count - start);
  if (c->carried > CARRY) exit(2);
  memcpy(c->carry, bytes + start, (size_t)c->carried);
}

/* HTTP/2: skips whole frames, and puts the answers to those that end a stream into one write. */
static void skipFrames(struct connection *c, const unsigned char *bytes, size_t count) {
  static const unsigned char settings[] = {
      0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 232, /* SETTINGS: 1,000 streams at once */
      0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0, 0,   /* WINDOW_UPDATE of the connection: all there is */
      0, 0, 0, 4, 1, 0, 0, 0, 0,                     /* the acknowledgement of the client's SETTINGS */
  };
  /* :status 200, then apns-id as a literal of 36 bytes. */
  static const char block[] = "\x88\x00\x07" "apns-id" "\x24" "123E4567-E89B-12D3-A456-4266554400A0";
  enum { HEADER = 9, PREFACE = 24, BLOCK = sizeof block - 1 };
  static unsigned char answers[ANSWERS];
  size_t start = 0, written = 0;
  if (!c->prefaced && count >= PREFACE) {
    memcpy(answers, settings, written = sizeof settings);
    start = PREFACE;
    c->prefaced = 1;
  }
  while (c->prefaced && count - start >= HEADER) {
    const unsigned char *frame = bytes + start;
    size_t length = (size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2];
    if (count - start < HEADER + length) break;
    start += HEADER + length;
    if (frame[3] > 1 || !(frame[4] & 1)) continue;
    unsigned char *answer = answers + written;
    memcpy(answer, "\0\0\0\1\5", 5);
    answer[2] = BLOCK;
    memcpy(answer + 5, frame + 5, 4);
    memcpy(answer + HEADER, block, BLOCK);
    written += HEADER + BLOCK;
    if (written > ANSWERS - 64) exit(2);
  }
  c->carried = (int)(count - start);
  if (c->carried > CARRY) exit(2);
  memmove(c->carry, bytes + start, (size_t)c->carried);
  if (written > 0) SSL_write(c->ssl, answers, (int)written);
}

static void sendFeedback(struct connection *c) {
  const unsigned char *record = list;
  for (long rest = tuples * 38; rest > 0; rest -= FEEDBACK_RECORD, record += FEEDBACK_RECORD)
    if (SSL_write(c->ssl, record, rest < FEEDBACK_RECORD ? (int)rest : FEEDBACK_RECORD) <= 0) break;
  SSL_shutdown(c->ssl);
  shutdown(c->fd, SHUT_WR);
  c->answered = 1;
}

/* Everything that one read brought; 0 when the connection is over. */
static int take(struct connection *c) {
  if (!usesDescriptor) {
    ssize_t n = recv(c->fd, received, sizeof received, MSG_DONTWAIT);
    if (n <= 0) return 0;
    at = 0;
    left = (size_t)n;
  }
  if (c->answered) {
    char discarded[4096];
    return usesDescriptor ? recv(c->fd, discarded, sizeof discarded, MSG_DONTWAIT) > 0 : 1;
  }
  if (!c->established) {
    int result = SSL_accept(c->ssl);
    if (result != 1) return SSL_get_error(c->ssl, result) == SSL_ERROR_WANT_READ;
    c->established = 1;
    if (tuples > 0) {
      sendFeedback(c);
      return 1;
    }
  }
  for (;;) {
    memcpy(plain, c->carry, (size_t)c->carried);
    int n = SSL_read(c->ssl, plain + c->carried, RECORD);
    if (n <= 0) return SSL_get_error(c->ssl, n) == SSL_ERROR_WANT_READ;
    (isHTTP2 ? skipFrames : skip)(c, plain, (size_t)(c->carried + n));
    if (c->answered) return 1;
  }
}

static void finish(struct connection *c) {
  SSL_free(c->ssl);
  close(c->fd);
  free(c);
}

int main(int count, char **arguments) {
  long delay = 0;
  if (count < 4) return 64;
  for (int i = 4; i < count; i++) {
    if (!strcmp(arguments[i], "--fd")) usesDescriptor = 1;
    else if (!strcmp(arguments[i], "--http2")) isHTTP2 = 1;
    else if (!strcmp(arguments[i], "--feedback") && i + 1 < count) tuples = atol(arguments[++i]);
    else if (!strcmp(arguments[i], "--read-delay") && i + 1 < count) delay = atol(arguments[++i]);
    else return 64;
  }
  if (tuples > 0) {
    list = malloc((size_t)tuples * 38);
    if (!list) die("malloc");
    memset(list, 1, (size_t)tuples * 38);
  }
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_max_proto_version(context, isHTTP2 ? TLS1_3_VERSION : TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  if (SSL_CTX_use_certificate_chain_file(context, arguments[1]) != 1) die(arguments[1]);
  if (SSL_CTX_use_PrivateKey_file(context, arguments[2], SSL_FILETYPE_PEM) != 1) die(arguments[2]);
  if (SSL_CTX_load_verify_locations(context, arguments[3], NULL) != 1) die(arguments[3]);
  if (isHTTP2) SSL_CTX_set_alpn_select_cb(context, choose, NULL);
  else SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  BIO_METHOD *method = bioMethod();

  int listener = listenAnywhere(), one = 1;

  static struct connection listening, input;
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listening};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.ptr = &input;
  epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  for (;;) {
    struct epoll_event events[64];
    int ready = epoll_wait(poll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (c == &input) return 0;
      if (c == &listening) {
        c = calloc(1, sizeof *c);
        c->fd = accept4(listener, NULL, NULL, usesDescriptor ? SOCK_NONBLOCK : 0);
        if (c->fd < 0) {
          free(c);
          continue;
        }
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        c->ssl = SSL_new(context);
        if (usesDescriptor) {
          SSL_set_fd(c->ssl, c->fd);
        } else {
          giveBIO(c->ssl, method, &c->fd);
        }
        SSL_set_accept_state(c->ssl);
        struct epoll_event added = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &added);
      } else if (!take(c)) {
        finish(c);
      }
    }
    if (delay > 0) usleep((useconds_t)delay);
  }
}
