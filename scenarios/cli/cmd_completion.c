/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast completion bash: a script made from the tables of verbs and options. Only `--set` asks
 * the program itself, for the keys of a scenario. */
#include "scenarios/cli/command.h"

#include <stdio.h>

static void put_words(const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        printf("%s%s", i == 0 ? "" : " ", words[i]);
    }
}

static void put_verb_names(void)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        printf("%s%s", i == 0 ? "" : " ", verb_table[i].name);
    }
}

/* What follows an option that takes a value. */
static void put_values(void)
{
    puts("    case $previous in");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        if (row->argument == NULL) {
            continue;
        }
        printf("    --%s", row->name);
        if (row->letter != 0) {
            printf("|-%c", row->letter);
        }
        fputs(") ", stdout);
        switch (row->value) {
        case VALUE_WORDS:
            fputs("COMPREPLY=($(compgen -W '", stdout);
            put_words(row->words);
            puts("' -- \"$word\")); return ;;");
            break;
        case VALUE_FOLDER:
            puts("compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\")); return ;;");
            break;
        case VALUE_KEY:
            puts("compopt -o nospace; "
                 "COMPREPLY=($(compgen -S = -W \"$(fleetcast help paths)\" -- \"$word\")); return "
                 ";;");
            break;
        default:
            puts("return ;;");
        }
    }
    puts("    esac");
}

static void put_options(void)
{
    puts("    if [[ $word == -* ]]; then\n        case $verb in");
    for (size_t v = 0; v < VERB_COUNT; v++) {
        printf("        %s) options='", verb_table[v].name);
        for (int i = 0; i < OPTION_COUNT; i++) {
            if (option_belongs((enum option_id)i, &verb_table[v])) {
                printf("--%s ", option_table[i].name);
            }
        }
        puts("' ;;");
    }
    fputs("        *) options='", stdout);
    for (int i = 0; i < OPTION_COUNT; i++) {
        printf("--%s ", option_table[i].name);
    }
    puts("' ;;\n        esac\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return\n    fi");
}

static void put_operands(void)
{
    puts("    case $verb in");
    fputs("    '') COMPREPLY=($(compgen -W '", stdout);
    put_verb_names();
    puts("' -- \"$word\")) ;;");
    fputs("    help) COMPREPLY=($(compgen -W '", stdout);
    put_verb_names();
    putchar(' ');
    put_words(help_topics);
    puts("' -- \"$word\")) ;;");
    for (size_t v = 0; v < VERB_COUNT; v++) {
        if (verb_table[v].words != NULL) {
            printf("    %s) COMPREPLY=($(compgen -W '", verb_table[v].name);
            put_words(verb_table[v].words);
            puts("' -- \"$word\")) ;;");
        }
    }
    printf("    %s) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\")) ;;\n",
           verb_table[VERB_PLOT].name);
    puts("    *) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac");
}

int cmd_completion(struct command *c)
{
    (void)c;
    puts("# bash completion for fleetcast; written by `fleetcast completion bash`\n"
         "_fleetcast() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local verb='' options='' i\n"
         "    COMPREPLY=()\n"
         "    if [[ $word == = ]]; then word=''; # --name=value comes as three words\n"
         "    elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "        case ${COMP_WORDS[i]} in");
    fputs("        ", stdout);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        printf("%s%s", i == 0 ? "" : "|", verb_table[i].name);
    }
    puts(") verb=${COMP_WORDS[i]}; break ;;\n"
         "        esac\n"
         "    done");
    put_values();
    put_options();
    put_operands();
    puts("}\ncomplete -F _fleetcast fleetcast");
    return EXIT_DONE;
}
