// Runs weir again with the Node.js of its checkout. Uses old syntax only, like weir.js.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function runAgain() {
  var node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node) || process.env.NODE_OF_WEIR) {
    process.stderr.write('weir: Node.js ' + process.versions.node + ' is too old: weir needs 22.19 or newer\n');
    process.exitCode = 2;
    return;
  }
  var script = fileURLToPath(new URL('./weir.js', import.meta.url));
  var env = Object.assign({}, process.env, { NODE_OF_WEIR: '1' });
  var child = spawn(node, [script].concat(process.argv.slice(2)), { stdio: 'inherit', env: env });
  // A terminal sends these to both, and the second one would end the child at once.
  var isOnTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  var fromTerminal = isOnTerminal ? ['SIGINT', 'SIGHUP'] : [];
  var signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  var forward = (signal) => {
    if (fromTerminal.indexOf(signal) < 0) child.kill(signal);
  };
  signals.forEach((signal) => {
    process.on(signal, forward);
  });
  child.on('error', (error) => {
    process.stderr.write('weir: unable to start ' + node + ': ' + error.message + '\n');
    process.exitCode = 2;
  });
  child.on('close', (exitCode, signal) => {
    signals.forEach((name) => {
      process.off(name, forward);
    });
    if (signal === null) process.exitCode = exitCode;
    else process.kill(process.pid, signal);
  });
}
