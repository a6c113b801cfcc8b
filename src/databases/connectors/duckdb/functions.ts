import { commonFunctions, functionNames } from '../standard-sql.ts'

/**
 * Functions of DuckDB 1.5 that read nothing but their arguments (documentation, "Functions"). Left out on purpose:
 * every reader of files or of the network, `glob`, `query` and `query_table` (they run text), `getenv`,
 * `getvariable`, settings, catalog functions (`duckdb_*`, `pragma_*`, `histogram_values` of a table by name), `error` (it shows
 * its argument), `sleep_ms`, and states of aggregates.
 */
export const duckdbFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax
     argmin array_agg bit_and bit_or bit_xor bool_and bool_or count_if count_star countif entropy favg first fsum
     geometric_mean geomean group_concat histogram kahan_sum kurtosis kurtosis_pop last list listagg mad max_by mean
     median min_by mode percentile_cont percentile_disc product quantile quantile_cont quantile_disc
     reservoir_quantile sem skewness string_agg sum_no_overflow sumkahan weighted_avg`,
    `array_extract base64 bin bit_length chr contains damerau_levenshtein editdist3 ends_with format from_base64 hamming
     hash hex ilike_escape instr jaccard jaro_similarity jaro_winkler_similarity lcase left_grapheme len
     length_grapheme levenshtein like_escape lpad md5 mismatches nfc_normalize ord prefix printf regexp_escape
     regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array
     regexp_split_to_table right_grapheme rpad sha1 sha256 split split_part starts_with str_split str_split_regex
     string_split string_split_regex string_to_array strip_accents strlen strpos substring_grapheme suffix to_base
     to_base64 translate ucase unbin unhex unicode url_decode url_encode`,
    `bit_count cbrt even fdiv fmod gcd greatest_common_divisor isfinite isinf isnan lcm least_common_multiple nextafter
     random signbit uuid uuidv4 uuidv7 xor`,
    `age century current_localtime current_localtimestamp date date_add date_diff date_part date_sub date_trunc
     datediff datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns
     epoch_us era get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date make_time
     make_timestamp make_timestamp_ms make_timestamptz microsecond millennium millisecond minute month monthname now
     quarter second strftime strptime time_bucket timezone timezone_hour timezone_minute to_centuries to_days
     to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
     to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek`,
    `array_append array_cat array_concat array_contains array_cosine_similarity array_distance array_distinct
     array_filter array_has array_has_all array_has_any array_indexof array_intersect array_length array_position
     array_prepend array_reverse array_slice array_sort array_to_string array_transform array_unique array_value
     array_where array_zip cardinality element_at flatten generate_series generate_subscripts list_aggregate list_any_value
     list_append list_avg list_concat list_contains list_count list_distance list_distinct list_element list_extract
     list_filter list_first list_has list_has_all list_has_any list_indexof list_intersect list_last list_max
     list_median list_min list_mode list_position list_prepend list_product list_reduce list_reverse
     list_reverse_sort list_slice list_sort list_string_agg list_sum list_transform list_unique list_value list_where
     list_zip map map_concat map_contains map_entries map_extract map_from_entries map_keys map_values range reduce
     row struct_extract struct_insert struct_keys struct_pack unnest`,
    `array_to_json from_json json json_array json_array_length json_contains json_each json_exists json_extract
     json_extract_path json_extract_path_text json_extract_string json_group_array json_group_object
     json_group_structure json_keys json_merge_patch json_object json_quote json_structure json_transform json_tree
     json_type json_valid json_value row_to_json to_json`,
    `alias columns constant_or_null convert if ifnull try try_cast typeof can_cast_implicitly replace_type`,
    `acosh add asinh atanh bit_position cosh days_in_month divide factorial fill format_bytes formatreadabledecimalsize
     formatreadablesize gamma lgamma multiply nanosecond normalized_interval rank_dense round_even roundbankers sinh
     subtract tanh timetz_byte_comparable arg_max_nulls_last arg_min_nulls_last histogram_exact is_histogram_other_bin
     wavg make_timestamp_ns ago`,
    `bar bitstring decode encode from_binary from_hex get_bit json_pretty json_transform_strict from_json_strict
     md5_number md5_number_lower md5_number_upper not_ilike_escape not_like_escape parse_dirname parse_dirpath
     parse_filename parse_formatted_bytes parse_path repeat set_bit to_binary to_hex uuid_extract_timestamp
     uuid_extract_version gen_random_uuid st_asgeojson st_astext st_asbinary st_aswkb st_aswkt st_geomfromwkb
     st_intersects_extent`,
    `apply array_aggregate array_apply array_cosine_distance array_cross_product array_dot_product array_grade_up
     array_inner_product array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front
     array_push_back array_push_front array_reduce array_resize array_reverse_sort array_select filter grade_up
     list_aggr list_apply list_approx_count_distinct list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or
     list_cat list_cosine_distance list_cosine_similarity list_dot_product list_entropy list_grade_up list_histogram
     list_inner_product list_kurtosis list_kurtosis_pop list_mad list_negative_dot_product
     list_negative_inner_product list_pack list_resize list_select list_sem list_skewness list_stddev_pop
     list_stddev_samp list_var_pop list_var_samp map_contains_entry map_contains_value map_extract_value`,
    `enum_code enum_first enum_last enum_range enum_range_boundary remap_struct struct_concat struct_contains
     struct_extract_at struct_has struct_indexof struct_position struct_update struct_values union_extract union_tag
     union_value variant_extract variant_normalize variant_typeof`,
  ),
])

/** Functions that tell the labels of an ENUM, or cast to a type that a text or a value names. */
export const labelFunctions: ReadonlySet<string> = new Set(
  functionNames(
    `enum_code enum_first enum_last enum_range enum_range_boundary typeof replace_type can_cast_implicitly from_json
     from_json_strict json_transform json_transform_strict`,
  ),
)

/**
 * Functions that DuckDB calls for syntax: operators, brackets, EXTRACT, AT TIME ZONE and the like. A macro of the same
 * name replaces them, even `+`.
 */
export const isImpliedFunction = (name: string): boolean => /[^\w.]/.test(name) || implied.has(name)

const implied: ReadonlySet<string> = new Set(
  functionNames(
    `list_value array_value struct_pack row map list_pack array_extract list_extract struct_extract map_extract
     array_slice list_slice list_concat list_contains contains list_filter list_transform list_apply array_apply
     list_reduce struct_concat concat date_part date_trunc timezone to_years to_months to_days to_hours to_minutes
     to_seconds to_milliseconds to_microseconds to_weeks to_quarters to_decades to_centuries to_millennia substring
     substr trim ltrim rtrim position instr strpos overlay add subtract multiply divide mod pow power factorial
     like_escape ilike_escape not_like_escape not_ilike_escape regexp_full_match regexp_matches prefix suffix
     starts_with ends_with json_extract json_extract_string count_star count first any_value unnest
     generate_subscripts range generate_series now today current_date current_time current_timestamp
     get_current_timestamp get_current_date get_current_time current_localtime current_localtimestamp
     transaction_timestamp is_histogram_other_bin constant_or_null error collate columns unpack if`,
  ),
)

const jsonColumns = 'key value type atom id parent fullkey path json rowid'.split(' ')

/** The columns of functions in FROM. */
export const functionColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ['json_each', jsonColumns],
  ['json_tree', jsonColumns],
  ['unnest', ['unnest']],
  ['range', ['range']],
  ['generate_series', ['generate_series']],
])
