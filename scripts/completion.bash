
# _reckon_table COMMAND has a line for each command: COMMAND, FILE, PID or the modes, and the options, as
# --name=ARGUMENT, or --name=[ARGUMENT] where that may be left out; _reckon_counted has the processes that are counted.

_reckon_value() { # ARGUMENT TEXT: what can stand for that argument and begins so
    case $1 in
    *'|'*) compgen -W "${1//[][|]/ }" -- "$2" ;;
    FILE | PATH) compgen -f -- "$2" ;;
    DIR) compgen -d -- "$2" ;;
    esac
}

# The argument that option $2 of the table's line $1 takes, nothing where it takes none.
_reckon_argument() {
    local word
    for word in $1; do
        [[ $word != "$2="* ]] || echo "${word#*=}"
    done
}

# Everything up to the cursor, with "--format" "=" "json", which readline takes apart, as one word again.
_reckon_join() {
    local i
    words=()
    starts=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if ((i > 1)) && [[ ${words[-1]} == --* && ( ${COMP_WORDS[i]} == = || ${COMP_WORDS[i-1]} == = ) ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
            starts+=("$i")
        fi
    done
}

_reckon_options() { # LINE WORD: the options that begin so, "--format=" for one that takes an argument
    local option options=()
    for option in $1; do
        [[ $option != -* ]] || options+=("${option%%=*}$([[ $option == --*=* ]] && echo '=')")
    done
    COMPREPLY=($(compgen -W "${options[*]}" -- "$2"))
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}

_reckon() {
    local words starts i=1 key=$1 line last word
    COMPREPLY=()
    _reckon_join
    last=$((${#words[@]} - 1))
    key=${key##*/}
    while ((i < last)) && [[ -n $(_reckon_table "$key ${words[i]}") ]]; do
        key+=" ${words[i]}"
        ((i++))
    done
    line=$(_reckon_table "$key")
    for (( ; i < last; i++)); do
        word=${words[i]}
        if [[ $word == -- ]]; then
            ((i++))
            break
        elif [[ $word == -* ]]; then
            [[ $word == *=* || $(_reckon_argument "$line" "$word") == @(|\[*) ]] || ((i++))
        elif [[ $line == COMMAND* ]]; then
            break
        fi
    done
    word=${words[last]}
    if [[ $line == COMMAND* && ( $i -lt $last || ( $i -eq $last && $word != -* ) ) ]]; then
        if declare -F _command_offset >/dev/null; then
            _command_offset "${starts[i]}"
        else
            COMPREPLY=($(compgen -c -- "$word"))
        fi
    elif ((i > last)); then  # the argument of the option before
        COMPREPLY=($(_reckon_value "$(_reckon_argument "$line" "${words[last-1]}")" "$word"))
    elif [[ $word == --*=* ]]; then
        COMPREPLY=($(_reckon_value "$(_reckon_argument "$line" "${word%%=*}")" "${word#*=}"))
    elif [[ $word == -* ]]; then
        _reckon_options "$line" "$word"
    elif [[ $line == FILE* ]]; then
        COMPREPLY=($(compgen -f -- "$word"))
    elif [[ $line == PID* ]]; then
        COMPREPLY=($(compgen -W "$(_reckon_counted)" -- "$word"))
    elif [[ $key == reckon || $line != -* ]]; then
        COMPREPLY=($(compgen -W "$(for i in $line; do [[ $i == -* ]] || echo "$i"; done)" -- "$word"))
    fi
}
complete -o bashdefault -F _reckon reckon countcalls
