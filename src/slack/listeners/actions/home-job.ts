import type { SlackUseCases } from '../../use-cases.ts'
import { type Around, onlyAdmins, thenShow } from './home-buttons.ts'

const gone = 'This job is not there any more: somebody decided before.'

/** `Retry` and `Drop` on a job that failed for good. */
export const makeHomeJob = (
  decision: 'retry' | 'drop',
  { deadJobs, isAdmin }: Pick<SlackUseCases, 'deadJobs' | 'isAdmin'>,
  around: Around,
) =>
  thenShow(
    'deciding on a job that failed',
    async ({ person, value }) => {
      if (!isAdmin(person)) return onlyAdmins
      if (decision === 'drop') return (await deadJobs.drop(value)) ? 'The job is dropped.' : gone
      return (await deadJobs.retry(value)) ? 'The job is tried again.' : gone
    },
    around,
  )
