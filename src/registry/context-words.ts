/** `:.NAME:SUBJECT` is a subject of the context NAME; the context `.` is the default one, which names need not have. */
const inContext = /^:\.([^:]*):?/;

/** The context of a subject, as it begins the names of subjects there: `:.staging:`; '' for the default one. */
export function contextOf(subject: string | undefined): string {
  const [, name = ''] = inContext.exec(subject ?? '') ?? [];
  return name === '' ? '' : `:.${name}:`;
}

/** The name of a subject of one context in another one, such as `:.staging:`. A subject of a third one keeps its name. */
export function movedSubject(subject: string, from: string, to: string): string {
  return contextOf(subject) === from ? to + subject.replace(inContext, '') : subject;
}

/** The name of a subject that a schema of a context refers to: unless it names another one, it is in the same. */
export function inContextOf(context: string, subject: string): string {
  return inContext.test(subject) ? subject : context + subject;
}
