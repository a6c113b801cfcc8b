import { makeMemoryUsageLedger } from '../../../src/store/in-memory/reading-ledger.ts'
import { describeReadingLedger } from '../../contracts/reading-ledger.ts'

describeReadingLedger(() => makeMemoryUsageLedger({ now: Date.now }))
