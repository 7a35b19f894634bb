#!/usr/bin/env node
// Uses only syntax that old versions of Node.js can parse, so that the version check below can run there.
import * as fs from 'node:fs';
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
  var cache = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheDirectory();
  // Without a directory, Node.js would use a shared temporary one, where other users could place code.
  if (cache !== undefined && isOurs(cache)) module.enableCompileCache(cache);
  import('../dist/main.js').then(
    (weir) => weir.runProcess(),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      process.stderr.write('weir: this checkout is not built: run "npm ci" or "npm run build"\n');
      process.exitCode = 2;
    },
  );
}

// Whether the directory and the one above it belong to this user alone. Creates it if it is missing, and recreates one that others can write to.
function isOurs(directory) {
  var found;
  try {
    // Not `recursive`: Node.js would retry forever if the home directory is one such as /proc.
    make(dirname(dirname(directory)));
    make(dirname(directory));
    make(directory);
    if (process.getuid === undefined) return true;
    if (!isPlaceOurs(directory)) return false;
    // Who can write to the directory above can replace this one.
    found = fs.statSync(dirname(directory));
    if (found.uid !== process.getuid() || (found.mode & 18) !== 0) return false; // 022
    found = fs.statSync(directory);
    if (found.uid !== process.getuid()) return false;
    if ((found.mode & 18) === 0) return true;
    fs.rmSync(directory, { recursive: true });
    make(directory);
    return true;
  } catch (_) {
    return false;
  }
}

// Whether every directory above the path, and above the target of every symbolic link on the way, belongs to root or this user, and others cannot replace what is in it.
function isPlaceOurs(path) {
  var rest = namesIn(path);
  var at = '/';
  var links = 0;
  var name, next, target;
  while (links < 40) {
    name = rest.shift();
    if (name === undefined) return true;
    if (!isClosed(fs.lstatSync(at))) return false;
    next = name === '..' ? dirname(at) || '/' : at.replace(/\/$/, '') + '/' + name;
    if (!fs.lstatSync(next).isSymbolicLink()) {
      at = next;
      continue;
    }
    if (!isTrustedOwner(fs.lstatSync(next))) return false;
    links += 1;
    target = fs.readlinkSync(next);
    rest = namesIn(target).concat(rest);
    if (target[0] === '/') at = '/';
  }
  return false;
}

function namesIn(path) {
  return path.split('/').filter(isName);
}

function isName(word) {
  return word !== '' && word !== '.';
}

function isTrustedOwner(found) {
  return found.uid === 0 || found.uid === process.getuid();
}

// In a directory such as /tmp (01000), users can only remove their own files.
function isClosed(found) {
  return isTrustedOwner(found) && ((found.mode & 18) === 0 || (found.mode & 512) !== 0);
}

function dirname(path) {
  return path.replace(/[/\\][^/\\]*$/, '');
}

function make(directory) {
  try {
    fs.mkdirSync(directory, 448); // 0700
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function cacheDirectory() {
  var env = process.env;
  var base = env.XDG_CACHE_HOME && env.XDG_CACHE_HOME[0] === '/' ? env.XDG_CACHE_HOME : undefined;
  if (base === undefined && env.HOME && env.HOME[0] === '/')
    base = env.HOME + (process.platform === 'darwin' ? '/Library/Caches' : '/.cache');
  if (process.platform === 'win32') base = env.LOCALAPPDATA;
  return base === undefined ? undefined : base + '/weir/compile';
}
