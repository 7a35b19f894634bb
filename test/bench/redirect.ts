import type { Contender } from './measure.ts';

/** A contender whose output goes to a file, recreated each time, instead of /dev/null. */
export function intoFile(contender: Contender, path: string): Contender {
  return through(contender, 'exec "$@" >"$0"', path);
}

/** A contender whose output goes through a pipe to another program; if it fails, the whole run fails. */
export function intoPipe(contender: Contender): Contender {
  // The status of a pipeline is that of its last program, so the first one's is passed separately.
  return through(contender, 'code=$({ { "$@"; echo $? >&3; } | cat >/dev/null; } 3>&1); exit $code', 'sh');
}

/** A contender that reads the file through a pipe. */
export function fromPipe(contender: Contender, path: string): Contender {
  return through(contender, 'cat "$0" | "$@"', path);
}

function through({ file, args, ...rest }: Contender, line: string, zeroth: string): Contender {
  return { ...rest, file: 'sh', args: ['-c', line, zeroth, file, ...args] };
}
