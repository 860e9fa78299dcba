/**
 * The configurations of gateways in `docs/gateways.md`: lines in addition to those that make a gateway pass requests
 * on.
 */

/** A configuration of a gateway that is measured. */
export interface GatewayConfiguration {
  /** The name of the gateway. */
  readonly gateway: string
  /** The additional lines; empty: the gateway keeps its defaults. */
  readonly lines: string
  /** What the lines are for, such as to enable retries. */
  readonly purpose: 'defaults' | 'reuse' | 'retries' | 'safe' | 'limit'
}

const tooMany = '{\\"error\\":\\"rate_limited\\",\\"message\\":\\"Too many requests.\\"}'

/** All configurations of gateways that are measured. */
export const gatewayConfigurations: readonly GatewayConfiguration[] = [
  { gateway: 'nginx', purpose: 'defaults', lines: '' },
  { gateway: 'nginx', purpose: 'reuse', lines: 'proxy_http_version 1.1; proxy_set_header Connection "";' },
  {
    gateway: 'nginx',
    purpose: 'retries',
    lines:
      'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_next_upstream error timeout non_idempotent;',
  },
  {
    gateway: 'nginx',
    purpose: 'safe',
    lines: 'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_next_upstream off;',
  },
  { gateway: 'nginx', purpose: 'limit', lines: 'limit_req zone=all burst=5 nodelay;' },
  { gateway: 'nginx', purpose: 'limit', lines: 'limit_req zone=all burst=5 nodelay; limit_req_status 429;' },
  { gateway: 'HAProxy', purpose: 'defaults', lines: '' },
  { gateway: 'HAProxy', purpose: 'retries', lines: 'retry-on all-retryable-errors' },
  {
    gateway: 'HAProxy',
    purpose: 'safe',
    lines: 'retry-on all-retryable-errors\n  http-request disable-l7-retry if METH_POST',
  },
  {
    gateway: 'HAProxy',
    purpose: 'limit',
    lines: `stick-table type ip size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }`,
  },
  {
    gateway: 'HAProxy',
    purpose: 'limit',
    lines: `stick-table type ip size 1k expire 10s store http_req_rate(1s)
  http-request track-sc0 src
  http-request return status 429 content-type application/json hdr Retry-After 1 string "${tooMany}" if { sc_http_req_rate(0) gt 20 }`,
  },
  { gateway: 'Apache', purpose: 'defaults', lines: '' },
  { gateway: 'Varnish', purpose: 'defaults', lines: '' },
  {
    gateway: 'Varnish',
    purpose: 'safe',
    lines: 'sub vcl_recv { if (req.method == "POST") { return (pipe); } }',
  },
  {
    gateway: 'Varnish',
    purpose: 'limit',
    lines: `import vsthrottle;
sub vcl_recv { if (vsthrottle.is_denied(client.ip, 20, 1s)) { return (synth(429)); } }`,
  },
  { gateway: 'Caddy', purpose: 'defaults', lines: '' },
  { gateway: 'Caddy', purpose: 'retries', lines: 'lb_try_duration 2s' },
  { gateway: 'Squid', purpose: 'defaults', lines: '' },
  { gateway: 'Squid', purpose: 'safe', lines: 'login=PASSTHRU' },
  { gateway: 'lighttpd', purpose: 'defaults', lines: '' },
  { gateway: 'trafficserver', purpose: 'defaults', lines: '' },
  { gateway: 'http-proxy', purpose: 'defaults', lines: '' },
  { gateway: 'http-proxy-middleware', purpose: 'defaults', lines: '' },
  { gateway: 'express-http-proxy', purpose: 'defaults', lines: '' },
]
