/** The variables that name a file of trusted authorities in place of the system's. */
export const TRUST_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PERL_LWP_SSL_CA_FILE',
  'DENO_CERT',
];
