import { makeJobs } from '../../src/jobs/jobs.ts'

/** A worker in a process of its own, which takes a question and never comes back: to be killed by a test. */
const [url] = process.argv.slice(2)

if (!url) throw new Error('usage: worker-process.ts URL')

const executeIn = () => Promise.reject(new Error('this process sends nothing'))

const jobs = await makeJobs({ url, executeIn, heartbeatSeconds: 10 })

await jobs.work(
  'question',
  ({ questionId }) => {
    process.send?.({ questionId })
    return new Promise(() => {})
  },
  { concurrency: 1 },
)
