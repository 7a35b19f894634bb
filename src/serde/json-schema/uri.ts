/** The parts of a URI reference by the expression of RFC 3986, appendix B: it takes any text. */
export interface Parts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a reference without a fragment (RFC 3986, section 5.2). Any text will do for both: names in a registry need
 * not be URIs.
 */
export function resolveUri(base: string, reference: string): string {
  const target = splitUri(reference);
  if (target.scheme !== undefined) return join({ ...target, path: withoutDots(target.path) });
  const from = splitUri(base);
  if (target.authority !== undefined) {
    return join({ ...target, scheme: from.scheme, path: withoutDots(target.path) });
  }
  if (target.path === '') return join({ ...from, query: target.query ?? from.query });
  const path = target.path.startsWith('/') ? target.path : merge(from, target.path);
  return join({ ...from, path: withoutDots(path), query: target.query });
}

/** Splits a reference at its first `#`; the fragment is undefined without one. */
export function splitFragment(reference: string): readonly [uri: string, fragment: string | undefined] {
  const at = reference.indexOf('#');
  return at === -1 ? [reference, undefined] : [reference.slice(0, at), reference.slice(at + 1)];
}

/** Splits a URI reference without a fragment into its parts. */
export function splitUri(uri: string): Parts {
  const [, scheme, authority, path = '', query] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s.exec(uri) ?? [];
  return { scheme: scheme?.toLowerCase(), authority, path, query };
}

function join({ scheme, authority, path, query }: Parts): string {
  const start = `${scheme === undefined ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}`;
  return `${start}${path}${query === undefined ? '' : `?${query}`}`;
}

function merge(base: Parts, path: string): string {
  if (base.authority !== undefined && base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

function withoutDots(path: string): string {
  const steps = path.split('/');
  if (!steps.includes('.') && !steps.includes('..')) return path;
  const kept: string[] = [];
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (step === '..' && (kept.length > 1 || (kept.length === 1 && kept[0] !== ''))) kept.pop();
    if (step !== '.' && step !== '..') kept.push(step);
    else if (isLast) kept.push('');
  }
  return kept.join('/');
}
