import type { SlackUseCases } from '../../use-cases.ts'
import { adminsOnlyText, type HomeListenerDeps, onHomeClick } from './home-buttons.ts'

const jobGoneText = 'This job is not there any more: somebody decided before.'

/** `Retry` and `Drop` on a job that failed for good. */
export const makeHomeJobClick = (
  decision: 'retry' | 'drop',
  { deadJobs, isAdmin }: Pick<SlackUseCases, 'deadJobs' | 'isAdmin'>,
  around: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding on a job that failed',
    async ({ person, value }) => {
      if (!isAdmin(person)) return adminsOnlyText
      if (decision === 'drop') return (await deadJobs.drop(value)) ? 'The job is dropped.' : jobGoneText
      return (await deadJobs.retry(value)) ? 'The job is tried again.' : jobGoneText
    },
    around,
  )
