/** The gateways that stand in front of the service: how each is configured and started in a folder of its own. */

/** The ports of a gateway and of the service behind it, and the folder for the files of the gateway. */
export interface GatewayPlace {
  readonly port: number
  readonly upstream: number
  readonly folder: string
}

/** A gateway (reverse proxy) such as nginx: where it is from, its files, and the command that starts it. */
export interface Gateway {
  readonly name: string
  /** The package that the gateway comes from, and the program by which an installed one is recognized. */
  readonly source: { readonly debian: string; readonly program: string } | { readonly npm: string }
  /** Writes the files of the gateway. `lines`: those of a configuration, which go into one of the files. */
  readonly files: (place: GatewayPlace, lines: string) => Readonly<Record<string, string>>
  readonly command: (place: GatewayPlace) => readonly string[]
  readonly env?: (place: GatewayPlace) => Readonly<Record<string, string>>
}

/** The gateways that are installed from npm, with their exact versions. */
export const gatewayNpmPackages: Readonly<Record<string, string>> = {
  'http-proxy': '1.18.1',
  'http-proxy-middleware': '3.0.11',
  express: '5.3.0',
  'express-http-proxy': '2.1.2',
}

const address = ({ upstream }: GatewayPlace) => `127.0.0.1:${upstream}`

const nginx: Gateway = {
  name: 'nginx',
  source: { debian: 'nginx', program: 'nginx' },
  files: (place, lines) => ({
    'nginx.conf': `daemon off;
pid ${place.folder}/pid;
error_log ${place.folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${place.folder}/body;
  proxy_temp_path ${place.folder}/proxy;
  fastcgi_temp_path ${place.folder}/fastcgi;
  uwsgi_temp_path ${place.folder}/uwsgi;
  scgi_temp_path ${place.folder}/scgi;
  limit_req_zone $binary_remote_addr zone=all:1m rate=20r/s;
  upstream service { server ${address(place)}; keepalive 8; }
  server {
    listen 127.0.0.1:${place.port};
    location / {
      proxy_pass http://${lines.includes('Connection') ? 'service' : address(place)};
      proxy_set_header Host $http_host;
      ${lines}
    }
  }
}
`,
  }),
  command: ({ folder }) => ['nginx', '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`],
}

const haproxy: Gateway = {
  name: 'HAProxy',
  source: { debian: 'haproxy', program: 'haproxy' },
  files: (place, lines) => ({
    'haproxy.cfg': `defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
listen all
  bind 127.0.0.1:${place.port}
  ${lines}
  server service ${address(place)}
`,
  }),
  command: ({ folder }) => ['haproxy', '-db', '-f', `${folder}/haproxy.cfg`],
}

const modules = '/usr/lib/apache2/modules'

const apache: Gateway = {
  name: 'Apache',
  source: { debian: 'apache2', program: 'apache2' },
  files: (place, lines) => ({
    'apache.conf': `ServerName localhost
PidFile ${place.folder}/pid
DefaultRuntimeDir ${place.folder}
Mutex file:${place.folder} default
ErrorLog ${place.folder}/error.log
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule proxy_module ${modules}/mod_proxy.so
LoadModule proxy_http_module ${modules}/mod_proxy_http.so
User www-data
Group www-data
Listen 127.0.0.1:${place.port}
AllowEncodedSlashes NoDecode
ProxyPreserveHost On
${lines}
ProxyPass / http://${address(place)}/ nocanon
`,
  }),
  command: ({ folder }) => ['apache2', '-DFOREGROUND', '-f', `${folder}/apache.conf`],
}

const varnish: Gateway = {
  name: 'Varnish',
  source: { debian: 'varnish', program: 'varnishd' },
  files: (place, lines) => ({
    'default.vcl': `vcl 4.1;
backend service { .host = "127.0.0.1"; .port = "${place.upstream}"; }
${lines}
`,
  }),
  command: ({ folder, port }) =>
    `varnishd -F -a 127.0.0.1:${port} -T none -s malloc,64m -n ${folder}/work -f ${folder}/default.vcl`.split(
      ' ',
    ),
}

const caddy: Gateway = {
  name: 'Caddy',
  source: { debian: 'caddy', program: 'caddy' },
  files: (place, lines) => ({
    Caddyfile: `{
  admin off
  auto_https off
}
http://127.0.0.1:${place.port} {
  reverse_proxy ${address(place)} {
    ${lines}
  }
}
`,
  }),
  command: ({ folder }) => ['caddy', 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
  env: ({ folder }) => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }),
}

const squid: Gateway = {
  name: 'Squid',
  source: { debian: 'squid', program: 'squid' },
  files: (place, lines) => ({
    'squid.conf': `http_port 127.0.0.1:${place.port} accel defaultsite=127.0.0.1:${place.port}
cache_peer 127.0.0.1 parent ${place.upstream} 0 no-query originserver ${lines}
http_access allow all
cache deny all
pid_filename ${place.folder}/pid
access_log none
cache_log ${place.folder}/cache.log
coredump_dir ${place.folder}
`,
  }),
  command: ({ folder }) => ['squid', '-N', '-f', `${folder}/squid.conf`],
}

const lighttpd: Gateway = {
  name: 'lighttpd',
  source: { debian: 'lighttpd', program: 'lighttpd' },
  files: (place, lines) => ({
    'lighttpd.conf': `server.modules = ("mod_proxy")
server.document-root = "${place.folder}"
server.errorlog = "${place.folder}/error.log"
server.bind = "127.0.0.1"
server.port = ${place.port}
proxy.server = ("" => (("host" => "127.0.0.1", "port" => ${place.upstream})))
${lines}
`,
  }),
  command: ({ folder }) => ['lighttpd', '-D', '-f', `${folder}/lighttpd.conf`],
}

const trafficserver: Gateway = {
  name: 'trafficserver',
  source: { debian: 'trafficserver', program: 'traffic_server' },
  files: (place, lines) => ({
    'storage.config': `${place.folder} 16M\n`,
    'ip_allow.yaml': 'ip_allow:\n  - { apply: in, ip_addrs: 127.0.0.1, action: allow, methods: ALL }\n',
    'remap.config': `map http://127.0.0.1:${place.port}/ http://${address(place)}/\n`,
    'records.config': `CONFIG proxy.config.http.server_ports STRING ${place.port}:ip-in=127.0.0.1
CONFIG proxy.config.http.cache.http INT 0
CONFIG proxy.config.admin.user_id STRING #-1
CONFIG proxy.config.url_remap.pristine_host_hdr INT 1
${lines}
`,
    'runroot.yaml': [
      ...[
        'prefix: /usr',
        'exec_prefix: /usr',
        'bindir: /usr/bin',
        'sbindir: /usr/sbin',
        'datadir: /usr/share',
      ],
      ...['includedir: /usr/include', 'libdir: /usr/lib', 'libexecdir: /usr/lib/trafficserver/modules'],
      ...['sysconfdir', 'localstatedir', 'runtimedir', 'logdir', 'cachedir'].map(
        (name) => `${name}: ${place.folder}`,
      ),
      '',
    ].join('\n'),
  }),
  command: () => ['traffic_server'],
  env: ({ folder }) => ({ TS_RUNROOT: folder }),
}

/** A gateway of npm: a program that reads the two ports from its arguments. */
const ofNpm = (name: string, program: string): Gateway => ({
  name,
  source: { npm: name },
  files: (_, lines) => ({ [`${name}.cjs`]: program.replace('/* lines */', lines) }),
  command: ({ folder, port, upstream }) => ['node', `${folder}/${name}.cjs`, String(port), String(upstream)],
})

const fromArguments = `const [port, upstream] = process.argv.slice(2)
const target = \`http://127.0.0.1:\${upstream}\`
`

/** All gateways that are tried in front of the service. */
export const gateways: readonly Gateway[] = [
  nginx,
  haproxy,
  apache,
  varnish,
  caddy,
  squid,
  lighttpd,
  trafficserver,
  ofNpm(
    'http-proxy',
    `${fromArguments}const proxy = require('http-proxy').createProxyServer({ target, /* lines */ })
proxy.on('error', (error, request, answer) => {
  answer.writeHead(500, { 'content-type': 'text/plain' })
  answer.end('The service did not answer.')
})
require('node:http').createServer((request, answer) => proxy.web(request, answer)).listen(port, '127.0.0.1')
`,
  ),
  ofNpm(
    'http-proxy-middleware',
    `${fromArguments}const { createProxyMiddleware } = require('http-proxy-middleware')
require('express')().use(createProxyMiddleware({ target, /* lines */ })).listen(port, '127.0.0.1')
`,
  ),
  ofNpm(
    'express-http-proxy',
    `${fromArguments}const proxy = require('express-http-proxy')
require('express')().use(proxy(target, { preserveHostHdr: true, /* lines */ })).listen(port, '127.0.0.1')
`,
  ),
]
