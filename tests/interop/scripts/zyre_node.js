// A node of the npm package zyre.js: does what it is told in JSON lines, and tells its events likewise.
// It is given a port for beacons and its name. Whispers that begin with `#` are sent back untold.

'use strict';

const Module = require('module');
const readline = require('readline');

// zyre.js asks for zeromq 5, which has to be compiled; zeromq 6 speaks its API too, ready to run.
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...more) => (
  resolve.call(Module, request === 'zeromq' ? 'zeromq/v5-compat' : request, ...more)
);
const Zyre = require('zyre.js');

const [port, name] = process.argv.slice(2);
const tell = (event, facts) => process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`);

const node = new Zyre({
  name, iface: 'lo', bport: Number(port), headers: { 'X-KIND': 'zyre.js' },
});
node.on('connect', (peer, called, headers) => tell('connect', { peer, name: called, headers }));
node.on('disconnect', (peer, called) => tell('disconnect', { peer, name: called }));
node.on('expired', (peer, called) => tell('expired', { peer, name: called }));
node.on('join', (peer, called, group) => tell('join', { peer, name: called, group }));
node.on('leave', (peer, called, group) => tell('leave', { peer, name: called, group }));
node.on('shout', (peer, called, content, group) => (
  tell('shout', { peer, name: called, content, group })
));
node.on('whisper', (peer, called, content) => {
  if (content.startsWith('#')) {
    node.whisper(peer, content);
  } else {
    tell('whisper', { peer, name: called, content });
  }
});

const deeds = {
  join: ({ group }) => node.join(group),
  leave: ({ group }) => node.leave(group),
  whisper: ({ peer, content }) => node.whisper(peer, content),
  chatter: ({ peer, count }) => {
    for (let number = 0; number < count; number += 1) node.whisper(peer, String(number));
  },
  shout: ({ group, content }) => node.shout(group, content),
  stop: () => node.stop(() => process.exit(0)),
};

node.start(() => {
  tell('started', { uuid: node.getIdentity() });
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line);
    deeds[order.do](order);
  });
});
