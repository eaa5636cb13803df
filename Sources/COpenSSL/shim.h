// The parts of OpenSSL's headers that Swift cannot import: function-like macros, variadic functions and
// the generated stack accessors. Each wrapper is named apnsim_ + the name it stands for.
#ifndef APNSIM_COPENSSL_SHIM_H
#define APNSIM_COPENSSL_SHIM_H

#include <stdint.h>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "apnsim needs OpenSSL 3.0 or later (libssl-dev on Debian and Ubuntu, openssl@3 in Homebrew)"
#endif

// --- SSL_CTX and SSL -------------------------------------------------------------------------

static inline int apnsim_SSL_get_min_proto_version(SSL *ssl) { return (int)SSL_get_min_proto_version(ssl); }

static inline int apnsim_SSL_get_max_proto_version(SSL *ssl) { return (int)SSL_get_max_proto_version(ssl); }

static inline long apnsim_SSL_set_min_proto_version(SSL *ssl, int version) {
  return SSL_set_min_proto_version(ssl, version);
}

static inline long apnsim_SSL_set_max_proto_version(SSL *ssl, int version) {
  return SSL_set_max_proto_version(ssl, version);
}

static inline long apnsim_SSL_CTX_set_min_proto_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_min_proto_version(ctx, version);
}

static inline long apnsim_SSL_CTX_set_max_proto_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_max_proto_version(ctx, version);
}

static inline void apnsim_SSL_CTX_set_mode(SSL_CTX *ctx, long mode) { SSL_CTX_set_mode(ctx, mode); }

static inline void apnsim_SSL_CTX_set_dh_auto(SSL_CTX *ctx) { SSL_CTX_set_dh_auto(ctx, 1); }

static inline void apnsim_SSL_CTX_session_cache_off(SSL_CTX *ctx) {
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}

// One write is one record: no empty CBC fragment before it. No renegotiation, no resumption (a resumed
// session would skip the certificate checks), no compression.
static inline void apnsim_SSL_CTX_set_gateway_options(SSL_CTX *ctx) {
  SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
                               SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS |
                               SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION);
}

// A gateway of the old days may not know secure renegotiation (RFC 5746).
static inline void apnsim_SSL_CTX_set_legacy_server_connect(SSL_CTX *ctx) {
  SSL_CTX_set_options(ctx, SSL_OP_LEGACY_SERVER_CONNECT);
}

static inline int apnsim_SSL_CTX_add1_chain_cert(SSL_CTX *ctx, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(ctx, certificate);
}

static inline int apnsim_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int apnsim_SSL_set1_verify_cert_store(SSL *ssl, X509_STORE *store) {
  return (int)SSL_set1_verify_cert_store(ssl, store);
}

// --- BIO -------------------------------------------------------------------------------------

static inline void apnsim_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

static inline void apnsim_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline long apnsim_BIO_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// --- keys and certificates ---------------------------------------------------------------------

static inline int apnsim_EVP_PKEY_KEYPAIR(void) { return EVP_PKEY_KEYPAIR; }

static inline EVP_PKEY *apnsim_EVP_RSA_gen(unsigned int bits) { return EVP_RSA_gen(bits); }

static inline EVP_PKEY *apnsim_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }

static inline void apnsim_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

// RFC 2253 on one line, UTF-8 left readable.
static inline int apnsim_X509_NAME_print_line(BIO *bio, const X509_NAME *name) {
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

// Adds the extension `nid` with a value in the notation of x509v3_config(5). 1 = done.
static inline int apnsim_X509_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int done = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}

// The use that a certificate allows: 1 a CA, 2 a TLS server, 0 anything else.
static inline int apnsim_X509_role(X509 *certificate) {
  if (X509_check_ca(certificate) > 0) return 1;
  uint32_t uses = X509_get_extended_key_usage(certificate);
  return uses != UINT32_MAX && (uses & XKU_SSL_SERVER) ? 2 : 0;
}

static inline void apnsim_X509_remove_extension(X509 *certificate, int nid) {
  int index = X509_get_ext_by_NID(certificate, nid, -1);
  if (index >= 0) X509_EXTENSION_free(X509_delete_ext(certificate, index));
}

static inline int apnsim_X509_CRL_add_authority_key(X509_CRL *crl, X509 *issuer) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, NULL, NULL, crl, 0);
  X509_EXTENSION *extension =
      X509V3_EXT_conf_nid(NULL, &context, NID_authority_key_identifier, "keyid");
  if (extension == NULL) return 0;
  int done = X509_CRL_add_ext(crl, extension, -1);
  X509_EXTENSION_free(extension);
  return done;
}

static inline STACK_OF(X509) *apnsim_sk_X509_new(void) { return sk_X509_new_null(); }

// Takes a reference of its own.
static inline void apnsim_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) {
  X509_up_ref(certificate);
  if (sk_X509_push(stack, certificate) <= 0) X509_free(certificate);
}

static inline int apnsim_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }

static inline X509 *apnsim_sk_X509_value(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}

// Puts another certificate first, with a reference of its own, in the place of one.
static inline void apnsim_sk_X509_replace_first(STACK_OF(X509) *stack, X509 *old, X509 *certificate) {
  if (stack == NULL || old == certificate || sk_X509_value(stack, 0) != old) return;
  X509_up_ref(certificate);
  sk_X509_set(stack, 0, certificate);
  X509_free(old);
}

static inline void apnsim_sk_X509_free_all(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

static inline int apnsim_sk_X509_REVOKED_num(const STACK_OF(X509_REVOKED) *stack) {
  return sk_X509_REVOKED_num(stack);
}

static inline const X509_REVOKED *apnsim_sk_X509_REVOKED_value(const STACK_OF(X509_REVOKED) *stack,
                                                               int index) {
  return sk_X509_REVOKED_value(stack, index);
}

#endif
