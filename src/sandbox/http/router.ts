/** What a request is matched with. */
export interface Pattern {
  readonly method: string;
  /** The path, whose `{name}` segments become parameters. */
  readonly path: string;
}

/** A route that matches a request, with its path parameters. */
export interface Match<Route extends Pattern> {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route for a method and path; `other-method` when the path exists only for other methods. */
export function findRoute<Route extends Pattern>(
  routes: readonly Route[],
  method: string,
  path: string,
): Match<Route> | 'other-method' | undefined {
  let pathKnown = false;
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params === undefined) continue;
    if (route.method === method) return { route, params };
    pathKnown = true;
  }
  return pathKnown ? 'other-method' : undefined;
}

function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const pattern = template.split('/');
  const segments = path.split('/');
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of pattern.entries()) {
    const word = decode(segments[at] ?? '');
    if (segment.startsWith('{')) {
      if (word === undefined || word === '') return undefined;
      params[segment.slice(1, -1)] = word;
    } else if (segment !== word) return undefined;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
