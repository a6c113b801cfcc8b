import { readDeadJobs } from '../../jobs/read-dead-jobs.ts'
import type { Check } from './check.ts'

/** Looks for jobs that failed for good, at the URL of our own store. */
export const checkJobs = async (url: string): Promise<Omit<Check, 'part'>> => {
  const { jobs, total } = await readDeadJobs(url, 1)
  const [latest] = jobs
  if (!latest) return { status: 'ok', finding: 'No job has failed for good.' }
  return {
    status: 'weak',
    finding: `${total} ${total === 1 ? 'job has' : 'jobs have'} failed for good; the latest in the queue ${latest.queue}: ${latest.reason}`,
    todo: 'Mend what the reason names, then press Retry or Drop in App Home, under "For admins".',
  }
}
