/* An HTTP/2 server on libnghttp2 that answers 200 to everything: what a careful C program takes for the same requests.
 *
 * It reads every header and every body, and keeps and judges nothing. Answers to all that one read brought leave in one
 * write.
 *
 *   nghttp2 CERTIFICATE KEY
 *
 * Prints its port, serves until its standard input ends.
 */
#include "server.h"
#include <nghttp2/nghttp2.h>

enum { RECORD = 16 * 1024, ANSWERS = 256 * 1024 };

struct connection {
  int fd, established;
  SSL *ssl;
  nghttp2_session *session;
};

static unsigned char plain[RECORD], answers[ANSWERS];
static nghttp2_session_callbacks *callbacks;

static int onFrame(nghttp2_session *session, const nghttp2_frame *frame, void *user) {
  (void)user;
  static const nghttp2_nv fields[] = {
      {(uint8_t *)":status", (uint8_t *)"200", 7, 3, NGHTTP2_NV_FLAG_NONE},
      {(uint8_t *)"apns-id", (uint8_t *)"123E4567-E89B-12D3-A456-4266554400A0", 7, 36, NGHTTP2_NV_FLAG_NO_INDEX},
  };
  if ((frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) && frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
    return nghttp2_submit_response(session, frame->hd.stream_id, fields, 2, NULL);
  return 0;
}

static int onHeader(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t nameLength, const uint8_t *value,
    size_t valueLength, uint8_t flags, void *user) {
  (void)session, (void)frame, (void)name, (void)nameLength, (void)value, (void)valueLength, (void)flags, (void)user;
  return 0;
}

static int onData(
    nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t count, void *user) {
  (void)session, (void)flags, (void)stream, (void)bytes, (void)count, (void)user;
  return 0;
}

/* Answers in as few records as hold them. */
static int answer(struct connection *c) {
  size_t written = 0;
  for (;;) {
    const uint8_t *bytes;
    ssize_t n = nghttp2_session_mem_send(c->session, &bytes);
    if (n < 0) return 0;
    if (n == 0 || written + (size_t)n > ANSWERS) {
      if (written > 0 && SSL_write(c->ssl, answers, (int)written) <= 0) return 0;
      written = 0;
    }
    if (n == 0) return 1;
    memcpy(answers + written, bytes, (size_t)n);
    written += (size_t)n;
  }
}

static void begin(struct connection *c) {
  nghttp2_settings_entry streams = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1000};
  if (nghttp2_session_server_new(&c->session, callbacks, c)) die("session");
  nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, &streams, 1);
}

/* Everything that one read brought; 0 when the connection is over. */
static int take(struct connection *c) {
  ssize_t count = recv(c->fd, received, sizeof received, MSG_DONTWAIT);
  if (count <= 0) return 0;
  at = 0;
  left = (size_t)count;
  if (!c->established) {
    int result = SSL_accept(c->ssl);
    if (result != 1) return SSL_get_error(c->ssl, result) == SSL_ERROR_WANT_READ;
    c->established = 1;
    begin(c);
  }
  for (;;) {
    int n = SSL_read(c->ssl, plain, RECORD);
    if (n <= 0) return SSL_get_error(c->ssl, n) == SSL_ERROR_WANT_READ && answer(c);
    if (nghttp2_session_mem_recv(c->session, plain, (size_t)n) < 0) return 0;
  }
}

static void finish(struct connection *c) {
  nghttp2_session_del(c->session);
  SSL_free(c->ssl);
  close(c->fd);
  free(c);
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  if (SSL_CTX_use_certificate_chain_file(context, arguments[1]) != 1) die(arguments[1]);
  if (SSL_CTX_use_PrivateKey_file(context, arguments[2], SSL_FILETYPE_PEM) != 1) die(arguments[2]);
  SSL_CTX_set_alpn_select_cb(context, choose, NULL);
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
        int fd = accept4(listener, NULL, NULL, 0);
        if (fd < 0) continue;
        c = calloc(1, sizeof *c);
        if (!c) die("calloc");
        c->fd = fd;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        c->ssl = SSL_new(context);
        giveBIO(c->ssl, method, &c->fd);
        SSL_set_accept_state(c->ssl);
        struct epoll_event added = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(poll, EPOLL_CTL_ADD, fd, &added);
      } else if (!take(c)) {
        finish(c);
      }
    }
  }
}
