import type { SafeguardResults } from '../../core/wall-trials.ts'
import type { Check } from './check.ts'

/** What the walls of a database that were tried come to. `roleStatements`: how to make a user who can only read. */
export const summarizeSafeguards = (
  trials: SafeguardResults,
  roleStatements: readonly string[] | null,
): Pick<Check, 'status' | 'finding' | 'todo'> => {
  const findings = [
    trials.refusesWrites ? 'a write was refused' : 'A WRITE WAS NOT REFUSED',
    trials.stopsAtTimeout
      ? 'a statement without end was stopped by its time limit'
      : 'A STATEMENT WITHOUT END WAS NOT STOPPED BY ITS TIME LIMIT',
    trials.cancelFreesServer
      ? 'a cancelled one was gone from the database'
      : 'A CANCELLED STATEMENT WAS NOT SEEN TO LEAVE THE DATABASE',
    ...(trials.roleCanWrite === null
      ? []
      : [
          trials.roleCanWrite
            ? 'its user has rights to write, which only our read-only transactions hold back'
            : 'its user has no right to write',
        ]),
  ]
  const role =
    roleStatements === null
      ? 'Open the file where this process may only read it.'
      : `Give Querent a user who can only read. An administrator runs:\n${roleStatements.join('\n')}`
  const todos = [
    ...(trials.refusesWrites && trials.roleCanWrite !== true ? [] : [role]),
    ...(trials.stopsAtTimeout && trials.cancelFreesServer
      ? []
      : [
          'Use no pooler between Querent and the database that drops settings or cancel requests, let this user see its own sessions, and look again when the database is less busy.',
        ]),
  ]
  const stands = trials.refusesWrites && trials.stopsAtTimeout && trials.cancelFreesServer
  return {
    status: !stands ? 'broken' : trials.roleCanWrite === true ? 'weak' : 'ok',
    finding: findings.join('; '),
    ...(todos.length > 0 && { todo: todos.join('\n') }),
  }
}
