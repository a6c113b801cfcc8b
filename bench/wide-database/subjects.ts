/** A department of a large company, and ten things that it keeps tables of (in the singular). */
export interface Subject {
  readonly name: string
  readonly nouns: readonly string[]
}

const listed: Readonly<Record<string, string>> = {
  sales: 'customer order quote territory account discount_rule rebate salesperson order_line price_list',
  purchasing:
    'supplier requisition purchase_order delivery_note tender framework_contract buyer offer goods_receipt claim',
  warehouse: 'bin pallet pick_list stock_count transfer zone packing_station carton replenishment dock_slot',
  fleet: 'vehicle driver trip refuelling inspection tyre depot toll accident lease',
  payroll: 'payslip allowance deduction tax_class bank_transfer overtime bonus garnishment pay_grade pay_run',
  recruiting:
    'vacancy applicant interview reference job_advert assessment recruiter job_offer talent_pool agency',
  training: 'course trainer session enrolment certificate exam lecture_room curriculum feedback_form credit',
  clinic: 'patient appointment diagnosis prescription ward bed surgeon lab_test referral vaccination',
  insurance:
    'policy policyholder premium coverage beneficiary broker endorsement risk_class renewal underwriter',
  claims:
    'loss_report adjuster settlement witness repair_shop fraud_check appraisal reserve subrogation hearing',
  leasing:
    'lease_contract lessee asset instalment residual_value early_return collateral dealer mileage_reading handover',
  billing:
    'invoice invoice_line credit_note dunning_letter payment tax_rate billing_cycle direct_debit write_off refund',
  marketing: 'campaign audience newsletter landing_page lead voucher sponsor event_booth ad_placement survey',
  support:
    'ticket agent queue escalation macro satisfaction_score knowledge_article callback service_level chat',
  finance:
    'ledger_entry cost_centre budget journal fiscal_period fixed_asset depreciation provision currency bank_account',
  treasury:
    'cash_position deposit bond hedge credit_line counterparty interest_rate guarantee bank_fee forecast',
  legal: 'lawsuit contract clause law_firm trademark patent power_of_attorney court_date opinion mandate',
  compliance:
    'audit finding control risk sanction_hit whistle_report obligation measure committee attestation',
  energy:
    'meter reading tariff grid_point outage feed_in substation transformer supply_contract load_profile',
  water: 'well pump reservoir water_sample pipe_section valve leak hydrant treatment_plant permit',
  rail: 'train wagon station timetable delay platform locomotive crew ticket_sale track_section',
  airport:
    'flight gate airline runway_slot baggage security_lane passenger_count lounge aircraft ground_crew',
  shipping:
    'vessel voyage container port_call bill_of_lading customs_entry consignee berth freight_rate crew_member',
  hotel:
    'room reservation guest room_rate housekeeping_task minibar_sale conference_hall loyalty_card channel_booking complaint',
  restaurant:
    'menu_item ingredient table_booking bill waiter recipe kitchen_order supplier_delivery tip allergen',
  retail: 'store till receipt shelf promotion gift_card loss_event shift planogram footfall',
  production:
    'machine work_order bill_of_material routing_step downtime scrap operator tool batch production_line',
  quality:
    'nonconformity test_plan measurement gauge calibration supplier_rating sample corrective_action certificate_of_origin recall',
  maintenance:
    'work_request spare_part technician maintenance_plan sensor failure_mode oil_analysis permit_to_work shutdown checklist',
  construction:
    'building_site subcontractor crane defect drawing milestone site_diary material_delivery safety_walk change_order',
  farming: 'field harvest crop tractor herd milk_yield seed_lot fertiliser_use irrigation barn',
  forestry:
    'stand tree_species felling timber_lot hunter_lease planting fire_watch forest_road sawmill soil_probe',
  library:
    'book borrower loan_item reservation_hold branch publisher shelf_mark fine periodical reading_group',
  museum:
    'exhibit artist exhibition donor restoration loan_request guided_tour visitor_pass archive_box curator',
  school: 'pupil teacher lesson grade_report classroom parent absence school_bus textbook club',
  university: 'student professor module thesis faculty grant lecture exam_result laboratory scholarship',
  sports: 'club_member team match referee season venue injury contract_player ticket_holder training_camp',
  telecom:
    'subscriber sim_card call_record data_plan cell_tower roaming_fee handset porting_request invoice_item fault',
  software:
    'repository release incident feature_request deployment api_key licence test_run server_node usage_record',
  property:
    'building tenant rental_unit rent_payment caretaker utility_bill viewing deposit_account insurance_case renovation',
}

/** Forty departments with ten things each, so that a schema of a thousand tables is made of words people use. */
export const subjects: readonly Subject[] = Object.entries(listed).map(([name, nouns]) => ({
  name,
  nouns: nouns.split(' '),
}))
