/** `:.NAME:SUBJECT` is a subject of the context NAME; the context `.` is the default one, which names need not have. */
const inContext = /^:\.([^:]*):?/;

/** The context of a subject, as it begins the names of subjects there: `:.staging:`; '' for the default one. */
export function contextOf(subject: string | undefined): string {
  const [, name = ''] = inContext.exec(subject ?? '') ?? [];
  return name === '' ? '' : `:.${name}:`;
}

/** The name of a subject that a schema of another context refers to, where it does not name its own. */
export function inContextOf(context: string, subject: string): string {
  return inContext.test(subject) ? subject : context + subject;
}

/** The parameter `subject` of a request by id: ids of contexts other than the default one are found only with it. */
export function subjectOfId(subject: string | undefined): string | undefined {
  return contextOf(subject) === '' ? undefined : subject;
}
