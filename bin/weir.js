#!/usr/bin/env node
// This file keeps to syntax that an old Node parses, so that the guard can speak there.
import * as module from 'node:module';

var version = process.versions.node.split('.').map(Number);
var isTooOld = version[0] < 22 || (version[0] === 22 && version[1] < 19);

if (isTooOld) {
  void import('./old-node.js').then((old) => {
    old.runAgain();
  });
} else {
  run();
}

function run() {
  if (!process.env.NODE_DISABLE_COMPILE_CACHE) module.enableCompileCache(cacheDirectory());
  import('../dist/main.js').then(
    (weir) => weir.mainOfProcess().then(end),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      process.stderr.write('weir: this checkout is not built: run "npm ci" or "npm run build" in it\n');
      process.exitCode = 2;
    },
  );
}

// No process.exit() at once: what was written must leave the process first.
function end(exitCode) {
  process.exitCode = exitCode;
  var signal = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' }[exitCode];
  // A shell that runs weir in a loop stops the loop only when the signal itself ended weir.
  if (signal !== undefined && process.platform !== 'win32') process.kill(process.pid, signal);
  setTimeout(leave, 100).unref();
}

// A name that is still being looked up cannot be given up and would hold the process for seconds.
function leave() {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  setTimeout(leave, 20).unref();
}

function cacheDirectory() {
  var env = process.env;
  var base = env.XDG_CACHE_HOME && env.XDG_CACHE_HOME[0] === '/' ? env.XDG_CACHE_HOME : undefined;
  if (base === undefined && env.HOME) base = env.HOME + (process.platform === 'darwin' ? '/Library/Caches' : '/.cache');
  if (process.platform === 'win32') base = env.LOCALAPPDATA;
  return base === undefined ? undefined : base + '/weir/compile';
}
