/* Parts that the benchmark's servers share: reads of up to 256 KiB, of which OpenSSL is given what it asks for (one system
 * call a read and none a record), and a listener on the loopback interface.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVE = 256 * 1024 };

static unsigned char received[RECEIVE];
static size_t at, left; /* what is unread of `received` */

static void die(const char *what) {
  perror(what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

/* The BIO: reads from the one receive buffer, writes to the socket, whose descriptor is its data. */
static int bioRead(BIO *bio, char *out, int wanted) {
  BIO_clear_retry_flags(bio);
  size_t count = (size_t)wanted < left ? (size_t)wanted : left;
  if (count == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  memcpy(out, received + at, count);
  at += count;
  left -= count;
  return (int)count;
}

static int bioWrite(BIO *bio, const char *bytes, int count) {
  int fd = *(int *)BIO_get_data(bio);
  int sent = 0;
  while (sent < count) {
    ssize_t n = send(fd, bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
    if (n < 0) return -1;
    sent += (int)n;
  }
  return count;
}

static long bioControl(BIO *bio, int command, long number, void *argument) {
  (void)bio, (void)number, (void)argument;
  return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *bioMethod(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "receive buffer");
  BIO_meth_set_read(method, bioRead);
  BIO_meth_set_write(method, bioWrite);
  BIO_meth_set_ctrl(method, bioControl);
  return method;
}

static void giveBIO(SSL *ssl, BIO_METHOD *method, int *fd) {
  BIO *bio = BIO_new(method);
  BIO_set_data(bio, fd);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
}

/* ALPN: h2 and nothing else. */
static int choose(
    SSL *ssl, const unsigned char **out, unsigned char *length, const unsigned char *offered, unsigned count, void *none) {
  (void)ssl, (void)none;
  for (unsigned at = 0; at + 1 + offered[at] <= count; at += 1U + offered[at])
    if (offered[at] == 2 && !memcmp(offered + at + 1, "h2", 2)) {
      *out = offered + at + 1;
      *length = 2;
      return SSL_TLSEXT_ERR_OK;
    }
  return SSL_TLSEXT_ERR_NOACK;
}

/* Listens on a free port of the loopback interface, and prints it. */
static int listenAnywhere(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) die("listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}
