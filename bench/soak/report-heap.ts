/** Loaded into a bot before anything else (`node --import`): tells its heap once in a while, as a line of its log. */
const EVERY_MS = 2_000

setInterval(() => {
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`${JSON.stringify({ level: 'info', heapUsed, external })}\n`)
}, EVERY_MS).unref()
