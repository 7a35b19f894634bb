# Completion of weir for bash. Generated: do not edit.

_weir_commands() {
  case $1 in
    '') REPLY='topic cluster profile config sandbox completion version help' ;;
    'topic') REPLY='create list describe delete produce consume' ;;
    'cluster') REPLY='info' ;;
    'profile') REPLY='create use current list print set unset edit rename-to delete clear prompt validate describe' ;;
    'config') REPLY='show explain' ;;
    'sandbox') REPLY='start status list logs stop purge' ;;
    'completion') REPLY='bash zsh fish' ;;
    *) REPLY= ;;
  esac
}

_weir_step() {
  case "$1/$2" in
    '/topic') REPLY='topic' ;;
    '/cluster') REPLY='cluster' ;;
    '/profile') REPLY='profile' ;;
    '/config') REPLY='config' ;;
    '/sandbox') REPLY='sandbox' ;;
    '/completion') REPLY='completion' ;;
    '/version') REPLY='version' ;;
    '/help') REPLY='help' ;;
    'topic/create') REPLY='topic create' ;;
    'topic/list' | 'topic/ls') REPLY='topic list' ;;
    'topic/describe' | 'topic/info') REPLY='topic describe' ;;
    'topic/delete') REPLY='topic delete' ;;
    'topic/produce') REPLY='topic produce' ;;
    'topic/consume') REPLY='topic consume' ;;
    'cluster/info' | 'cluster/status' | 'cluster/metadata') REPLY='cluster info' ;;
    'profile/create') REPLY='profile create' ;;
    'profile/use') REPLY='profile use' ;;
    'profile/current') REPLY='profile current' ;;
    'profile/list' | 'profile/ls') REPLY='profile list' ;;
    'profile/print') REPLY='profile print' ;;
    'profile/set') REPLY='profile set' ;;
    'profile/unset') REPLY='profile unset' ;;
    'profile/edit') REPLY='profile edit' ;;
    'profile/rename-to' | 'profile/rename') REPLY='profile rename-to' ;;
    'profile/delete') REPLY='profile delete' ;;
    'profile/clear') REPLY='profile clear' ;;
    'profile/prompt') REPLY='profile prompt' ;;
    'profile/validate') REPLY='profile validate' ;;
    'profile/describe') REPLY='profile describe' ;;
    'config/show') REPLY='config show' ;;
    'config/explain') REPLY='config explain' ;;
    'sandbox/start') REPLY='sandbox start' ;;
    'sandbox/status') REPLY='sandbox status' ;;
    'sandbox/list') REPLY='sandbox list' ;;
    'sandbox/logs') REPLY='sandbox logs' ;;
    'sandbox/stop') REPLY='sandbox stop' ;;
    'sandbox/purge') REPLY='sandbox purge' ;;
    'completion/bash') REPLY='completion bash' ;;
    'completion/zsh') REPLY='completion zsh' ;;
    'completion/fish') REPLY='completion fish' ;;
    *) return 1 ;;
  esac
}

_weir_flags() {
  case $1 in
    'topic create') REPLY='--partitions --replicas --topic-config --if-not-exists --dry-run' ;;
    'topic list') REPLY='--detailed --internal --regex' ;;
    'topic describe') REPLY='--print-summary --print-configs --print-partitions --print-all --regex --stable' ;;
    'topic delete') REPLY='--regex --dry-run' ;;
    'topic produce') REPLY='--record-format --output-format --key --header --partition --compression --acks --delivery-timeout --max-message-bytes --tombstone --allow-auto-topic-creation --dry-run' ;;
    'topic consume') REPLY='--offset --partitions --regex --group --balancer --instance-id --record-format --num --pretty-print --meta-only --read-committed --print-control-records --fetch-max-bytes --fetch-max-partition-bytes --fetch-max-wait --rack' ;;
    'cluster info') REPLY='--print-cluster --print-brokers --print-topics --print-internal-topics --print-detailed-topics' ;;
    'profile create') REPLY='--set --description --protected --from --from-rpk --dry-run' ;;
    'profile use') REPLY='--dry-run' ;;
    'profile current') REPLY='--no-newline' ;;
    'profile print') REPLY='--show-secrets' ;;
    'profile set') REPLY='--dry-run' ;;
    'profile unset') REPLY='--dry-run' ;;
    'profile edit') REPLY='--dry-run' ;;
    'profile rename-to') REPLY='--dry-run' ;;
    'profile delete') REPLY='--dry-run' ;;
    'profile clear') REPLY='--dry-run' ;;
    'profile prompt') REPLY='--validate --shell' ;;
    'profile describe') REPLY='--show-secrets' ;;
    'config show') REPLY='--show-secrets --changed' ;;
    'config explain') REPLY='--show-secrets' ;;
    'sandbox start') REPLY='--brokers --tls --mtls --sasl --kafka-version --port --name --dry-run' ;;
    'sandbox status') REPLY='--name' ;;
    'sandbox logs') REPLY='--follow --lines --name' ;;
    'sandbox stop') REPLY='--name --dry-run' ;;
    'sandbox purge') REPLY='--name --dry-run' ;;
    'help') REPLY='--json' ;;
    *) REPLY= ;;
  esac
  REPLY+=' --config-opt --profile --config --broker-config --format --verbose --quiet --trace --color --no-input --yes --no-headers --help --version'
}

_weir_value() {
  case "$1/$2" in
    'topic create/--partitions' | 'topic create/-p') REPLY='' ;;
    'topic create/--replicas' | 'topic create/-r') REPLY='' ;;
    'topic create/--topic-config' | 'topic create/-c') REPLY='' ;;
    'topic produce/--record-format' | 'topic produce/-f') REPLY='' ;;
    'topic produce/--output-format' | 'topic produce/-o') REPLY='' ;;
    'topic produce/--key' | 'topic produce/-k') REPLY='' ;;
    'topic produce/--header' | 'topic produce/-H') REPLY='' ;;
    'topic produce/--partition' | 'topic produce/-p') REPLY='' ;;
    'topic produce/--compression' | 'topic produce/-z') REPLY='none gzip snappy lz4 zstd' ;;
    'topic produce/--acks') REPLY='all -1 0 1' ;;
    'topic produce/--delivery-timeout') REPLY='' ;;
    'topic produce/--max-message-bytes') REPLY='' ;;
    'topic consume/--offset' | 'topic consume/-o') REPLY='' ;;
    'topic consume/--partitions' | 'topic consume/-p') REPLY='' ;;
    'topic consume/--group' | 'topic consume/-g') REPLY='' ;;
    'topic consume/--balancer' | 'topic consume/-b') REPLY='range roundrobin sticky cooperative-sticky' ;;
    'topic consume/--instance-id') REPLY='' ;;
    'topic consume/--record-format' | 'topic consume/-f') REPLY='' ;;
    'topic consume/--num' | 'topic consume/-n') REPLY='' ;;
    'topic consume/--pretty-print') REPLY='true false' ;;
    'topic consume/--fetch-max-bytes') REPLY='' ;;
    'topic consume/--fetch-max-partition-bytes') REPLY='' ;;
    'topic consume/--fetch-max-wait') REPLY='' ;;
    'topic consume/--rack') REPLY='' ;;
    'profile create/--set' | 'profile create/-s') REPLY='' ;;
    'profile create/--description' | 'profile create/-d') REPLY='' ;;
    'profile create/--from') REPLY='' ;;
    'profile create/--from-rpk') REPLY=@files ;;
    'profile prompt/--shell') REPLY='bash zsh fish' ;;
    'sandbox start/--brokers') REPLY='1 3' ;;
    'sandbox start/--sasl') REPLY='SCRAM-SHA-256 SCRAM-SHA-512 PLAIN' ;;
    'sandbox start/--kafka-version') REPLY='' ;;
    'sandbox start/--port') REPLY='' ;;
    'sandbox start/--name') REPLY='' ;;
    'sandbox status/--name') REPLY='' ;;
    'sandbox logs/--lines' | 'sandbox logs/-n') REPLY='' ;;
    'sandbox logs/--name') REPLY='' ;;
    'sandbox stop/--name') REPLY='' ;;
    'sandbox purge/--name') REPLY='' ;;
    *)
      case $2 in
        --config-opt | -X) REPLY=@options ;;
        --profile) REPLY=@profiles ;;
        --config) REPLY=@files ;;
        --broker-config) REPLY=@files ;;
        --format) REPLY='text wide json yaml schema' ;;
        --trace) REPLY=@files ;;
        --color) REPLY='auto always never' ;;
        *) return 1 ;;
      esac
      ;;
  esac
}

_weir_operands() {
  case $1 in
    'profile use') REPLY=@profiles ;;
    'profile print') REPLY=@profiles ;;
    'profile unset') REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key cloud.client_id cloud.client_secret globals.prompt globals.no_default_cluster globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.streaming_protocol_request_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url' ;;
    'profile edit') REPLY=@profiles ;;
    'profile delete') REPLY=@profiles ;;
    'profile validate') REPLY=@profiles ;;
    'profile describe') REPLY=@profiles ;;
    'config show') REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key cloud.client_id cloud.client_secret globals.prompt globals.no_default_cluster globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.streaming_protocol_request_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url' ;;
    'config explain') REPLY='brokers tls.enabled tls.insecure_skip_verify tls.ca tls.cert tls.key sasl.mechanism user pass admin.hosts admin.tls.enabled admin.tls.insecure_skip_verify admin.tls.ca admin.tls.cert admin.tls.key registry.hosts registry.tls.enabled registry.tls.insecure_skip_verify registry.tls.ca registry.tls.cert registry.tls.key cloud.client_id cloud.client_secret globals.prompt globals.no_default_cluster globals.command_timeout globals.dial_timeout globals.request_timeout_overhead globals.retry_timeout globals.fetch_max_wait globals.streaming_protocol_request_client_id cloud.api_url cloud.auth_url cloud.audience cloud.legacy_url' ;;
    *) REPLY= ;;
  esac
}

_weir_options='brokers= tls.enabled=true tls.enabled=false tls.insecure_skip_verify=true tls.insecure_skip_verify=false tls.ca= tls.cert= tls.key= sasl.mechanism=SCRAM-SHA-256 sasl.mechanism=SCRAM-SHA-512 sasl.mechanism=PLAIN user= pass= admin.hosts= admin.tls.enabled=true admin.tls.enabled=false admin.tls.insecure_skip_verify=true admin.tls.insecure_skip_verify=false admin.tls.ca= admin.tls.cert= admin.tls.key= registry.hosts= registry.tls.enabled=true registry.tls.enabled=false registry.tls.insecure_skip_verify=true registry.tls.insecure_skip_verify=false registry.tls.ca= registry.tls.cert= registry.tls.key= cloud.client_id= cloud.client_secret= globals.prompt= globals.no_default_cluster=true globals.no_default_cluster=false globals.command_timeout= globals.dial_timeout= globals.request_timeout_overhead= globals.retry_timeout= globals.fetch_max_wait= globals.streaming_protocol_request_client_id= cloud.api_url= cloud.auth_url= cloud.audience= cloud.legacy_url='

_weir_offer() {
  local candidates=$1 word
  case $candidates in
    @files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    @directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    @profiles) candidates=$("${COMP_WORDS[0]}" __complete profiles 2>/dev/null </dev/null) ;;
    @options) candidates="$_weir_options list help" ;;
  esac
  local -A seen=()
  for word in $candidates; do
    # A key first, its values once it stands there.
    [[ $1 == @options && $cur != *=* && $word == *=* ]] && word=${word%%=*}=
    if [[ $word == "$cur"* && -z ${seen[$word]-} ]]; then
      seen[$word]=1
      COMPREPLY+=("$word")
    fi
  done
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

_weir() {
  local -a words=()
  local index word glue= cur path= skip= flag= cut= REPLY
  COMPREPLY=()
  # bash splits words at = and :, weir does not.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ $index -gt 0 && ( -n $glue || $word == [=:]* ) && ${#words[@]} -gt 0 ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    glue=
    [[ $word == *[=:] ]] && glue=1
  done
  cur=${words[${#words[@]}-1]}
  for ((index = 1; index < ${#words[@]} - 1; index++)); do
    word=${words[index]}
    flag=
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && _weir_value "$path" "$word"; then
        skip=1
        flag=$word
      fi
    elif _weir_step "$path" "$word"; then
      path=$REPLY
    fi
  done
  if [[ -n $flag ]] && _weir_value "$path" "$flag"; then
    _weir_offer "$REPLY"
  elif [[ $cur == --*=* ]] && _weir_value "$path" "${cur%%=*}"; then
    cut=${cur%%=*}=
    cur=${cur#*=}
    _weir_offer "$REPLY"
    cur=$cut$cur
    COMPREPLY=("${COMPREPLY[@]/#/$cut}")
  elif [[ $cur == -X?* ]]; then
    cur=${cur#-X}
    _weir_offer @options
    COMPREPLY=("${COMPREPLY[@]/#/-X}")
    cur=-X$cur
  elif [[ $cur == -* ]]; then
    _weir_flags "$path"
    _weir_offer "$REPLY"
  else
    _weir_commands "$path"
    [[ -n $REPLY ]] || _weir_operands "$path"
    _weir_offer "$REPLY"
  fi
  # What stands before the last = or : is on the line already.
  if [[ $cur == *[=:]* ]]; then
    cut=${cur%"${cur##*[=:]}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  fi
}

complete -F _weir weir
