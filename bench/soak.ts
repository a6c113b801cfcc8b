/**
 * `npm run soak -- KIND [options]`: long runs against a bot of its own, with everything going wrong that the kind is
 * about. Each prints a table, keeps all of its run under bench/results, and exits 1 when something was not as it must be.
 */

/** Runs one kind of soak with the arguments after its name; resolves with whether all was as it must be. */
type Soak = (args: readonly string[]) => Promise<boolean>

const kinds: Readonly<Record<string, () => Promise<Soak>>> = {
  questions: async () => (await import('./soak/questions.ts')).soakQuestions,
  digests: async () => (await import('./soak/digests.ts')).soakDigests,
  replicas: async () => (await import('./soak/replicas.ts')).soakReplicas,
  outage: async () => (await import('./soak/outage.ts')).soakOutage,
  memory: async () => (await import('./soak/memory.ts')).soakMemory,
}

const [first, ...rest] = process.argv.slice(2)
const named = first !== undefined && !first.startsWith('-')
const kind = named ? first : 'questions'
const load = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
if (!load) {
  process.stderr.write(`There is no soak called ${kind}. There are: ${Object.keys(kinds).join(', ')}.\n`)
  process.exit(2)
}
const soak = await load()
const isGood = await soak(named ? rest : process.argv.slice(2))
process.exit(isGood ? 0 : 1)
