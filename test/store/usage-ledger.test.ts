import { makeMemoryUsageLedger } from '../../src/store/usage-ledger.ts'
import { queryUsageContract } from '../contracts/query-usage.ts'

queryUsageContract(() => makeMemoryUsageLedger({ now: Date.now }))
