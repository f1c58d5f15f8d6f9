'use strict';

/**
 * Leads the connections of a Node process to X's hosts to a Pipit server: `NODE_OPTIONS=--require` loads this file into
 * each process and thread of a led program. Other connections stay as they are. For X's hosts a connection trusts
 * only the authority of `pipit lead`, so it fails before a request is sent if it ends anywhere else.
 */

const fs = require('fs');
const module_ = require('module');
const net = require('net');
const tls = require('tls');

/**
 * @typedef {Record<string, any>} Options
 * @typedef {{ hosts: string[], host: string, port: number, openPort: number, authority: string, refused: string }} Lead
 */

if (process.env.PIPIT_LEAD) install(JSON.parse(process.env.PIPIT_LEAD));

/** @param {Lead} lead */
function install(lead) {
  const connect = net.Socket.prototype.connect;
  /** @param {any[]} args */
  net.Socket.prototype.connect = function (...args) {
    return Reflect.apply(connect, this, redirect(lead, args));
  };
  const connectTls = tls.connect;
  /** @param {any[]} args */
  tls.connect = function (...args) {
    const options = optionsOf(args);
    const host = ledHostOf(lead, options);
    if (host === undefined) return Reflect.apply(connectTls, this, args);
    const socket = Reflect.apply(connectTls, this, [trusting(lead, host, options), args.find(isFunction)]);
    socket.once('close', () => {
      if (socket.authorizationError) fs.appendFileSync(lead.refused, `${host}\n`);
    });
    return socket;
  };
  module_.syncBuiltinESMExports();
}

/**
 * Returns the arguments of `Socket.connect` with the address of the server, if they name a led host. Node passes one
 * array between its functions and compares its identity.
 * @param {Lead} lead
 * @param {any[]} args
 */
function redirect(lead, args) {
  const [first, second] = args;
  if (Array.isArray(first)) first[0] = redirected(lead, first[0]);
  else if (isObject(first)) return [redirected(lead, first), ...args.slice(1)];
  else if (typeof second === 'string') {
    return [redirected(lead, { port: first, host: second }), ...args.slice(2)];
  }
  return args;
}

/**
 * @param {Lead} lead
 * @param {Options} options
 */
function redirected(lead, options) {
  if (!isObject(options)) return options;
  const { host, port } = options;
  if (isLed(lead, host)) {
    return { ...options, host: lead.host, port: lead.openPort, lookup: undefined, family: undefined };
  }
  // Only programs without a preload are limited to X's hosts.
  return isLoopback(host) && Number(port) === lead.port ? { ...options, port: lead.openPort } : options;
}

/**
 * Returns the options of `tls.connect`: `(options)`, `(path, options)`, `(port, options)` or `(port, host, options)`.
 * @param {any[]} args
 * @returns {Options}
 */
function optionsOf(args) {
  const [first, second] = args;
  const isPort = !isObject(first) && !Number.isNaN(Number(first));
  const address = isPort ? { port: first, ...(typeof second === 'string' && { host: second }) } : {};
  return Object.assign(address, ...args.filter(isObject));
}

/**
 * Returns the led host that a TLS connection is for. A program may name it beside an address that it has looked up, or
 * beside a tunnel that it has opened; a server on this machine may use any name.
 * @param {Lead} lead
 * @param {Options} options
 */
function ledHostOf(lead, { host, servername, socket, path }) {
  if (isLed(lead, host)) return host;
  const isOwnServer = !socket && (path || host === undefined || isLoopback(host));
  return isLed(lead, servername) && !isOwnServer ? servername : undefined;
}

/**
 * @param {Lead} lead
 * @param {string} host
 * @param {Options} options
 */
function trusting(lead, host, options) {
  return {
    ...options,
    host,
    servername: host,
    ca: fs.readFileSync(lead.authority),
    secureContext: undefined,
    rejectUnauthorized: true,
    checkServerIdentity: tls.checkServerIdentity,
  };
}

/**
 * @param {Lead} lead
 * @param {unknown} host
 */
function isLed(lead, host) {
  return typeof host === 'string' && lead.hosts.includes(host.toLowerCase().replace(/\.$/, ''));
}

/** @param {unknown} host */
function isLoopback(host) {
  return host === undefined || /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(String(host));
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** @param {unknown} value */
function isFunction(value) {
  return typeof value === 'function';
}
